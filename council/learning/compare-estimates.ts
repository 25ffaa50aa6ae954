import { estimateOf, toVector } from '../estimate/estimate.js';
import type { TrainingRow } from '../estimate/fit-coefficients.js';
import type { WalkForward } from '../estimate/weights.js';
import { logScoreClampMin } from '../method.js';
import { at, roundTo, sum } from '../numbers.js';
import type { Coefficients } from '../report.js';
import { clusteredMean } from '../track-record/intervals.js';

/** Decimals of an artefact: more than a report shows, fewer than rounding errors reach. */
const decimals = 6;

/** Coefficients as an artefact has them. */
export function publishedCoefficients(coefficients: Coefficients): Coefficients {
  return {
    market: roundTo(coefficients.market, decimals),
    council: roundTo(coefficients.council, decimals),
    council_by_dispersion: roundTo(coefficients.council_by_dispersion, decimals),
  };
}

/**
 * Scores estimates, and compares them with those by the incumbent's coefficients. One event, one vote: its rows count
 * by their mean.
 *
 * @param estimates one distribution per row (at least one), made without knowledge of its outcome
 */
export function compareEstimates(
  rows: readonly TrainingRow[],
  estimates: readonly (readonly number[])[],
  incumbent: Coefficients,
): WalkForward {
  const vector = toVector(incumbent);
  const [briers, logScores, differences] = [meansByEvent(), meansByEvent(), meansByEvent()];
  for (const [index, { event, features, happened }] of rows.entries()) {
    const estimated = at(estimates, index);
    const brier = brierOf(estimated, happened);
    briers.add(event, brier);
    logScores.add(event, -Math.log(Math.max(logScoreClampMin, at(estimated, happened))));
    differences.add(event, brier - brierOf(estimateOf(features, vector), happened));
  }
  const { mean, interval_95 } = differences.withInterval();
  return {
    brier: published(briers.mean()),
    log_score: published(logScores.mean()),
    minus_incumbent: published(mean ?? Number.NaN),
    interval_95: interval_95 && [published(interval_95[0]), published(interval_95[1])],
  };
}

function published(value: number): number {
  return roundTo(value, decimals);
}

function brierOf(estimated: readonly number[], happened: number): number {
  return sum(estimated.map((p, index) => (p - (index === happened ? 1 : 0)) ** 2)) / 2;
}

/** Collects values, and averages first over the rows of each event and then over the events. */
function meansByEvent() {
  const totals = new Map<string, { total: number; count: number }>();
  const means = () => [...totals].map(([event, { total, count }]) => ({ event, mean: total / count }));
  return {
    add: (event: string, value: number) => {
      const { total, count } = totals.get(event) ?? { total: 0, count: 0 };
      totals.set(event, { total: total + value, count: count + 1 });
    },
    mean: () => sum(means().map(({ mean }) => mean)) / totals.size,
    withInterval: () => {
      const overEvents = clusteredMean();
      for (const { event, mean } of means()) overEvents.add(event, mean);
      return overEvents.finish();
    },
  };
}
