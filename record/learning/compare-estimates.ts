import { estimateOf, toVector } from '../../council/estimate/estimate.js';
import type { TrainingRow } from '../../council/estimate/fit-coefficients.js';
import type { WalkForward } from '../../council/estimate/weights.js';
import { logScoreClampMin } from '../../council/method.js';
import { at, roundTo, sum } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import { eventNumbers, meanOfEvents, votesByEvent } from '../figures/event-mean.js';
import { bootstrapInterval } from '../figures/intervals.js';

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
  const { numberOf } = eventNumbers();
  const votes = votesByEvent(3);
  for (const [index, { event, features, happened }] of rows.entries()) {
    const estimated = at(estimates, index);
    const brier = brierOf(estimated, happened);
    const logScore = -Math.log(Math.max(logScoreClampMin, at(estimated, happened)));
    const difference = brier - brierOf(estimateOf(features, vector), happened);
    votes.add(numberOf(event), [brier, logScore, difference]);
  }
  const { columns } = votes.finish();
  const differences = at(columns, 2);
  const interval = bootstrapInterval([...differences].map(mean => ({ sum: mean, count: 1 })));
  const meanOf = (column: number) => published(meanOfEvents(at(columns, column)) ?? Number.NaN);
  return {
    brier: meanOf(0),
    log_score: meanOf(1),
    minus_incumbent: meanOf(2),
    interval_95: interval && [published(interval[0]), published(interval[1])],
  };
}

function published(value: number): number {
  return roundTo(value, decimals);
}

function brierOf(estimated: readonly number[], happened: number): number {
  return sum(estimated.map((p, index) => (p - (index === happened ? 1 : 0)) ** 2)) / 2;
}
