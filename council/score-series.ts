import { at } from './at.js';
import { bootstrapInterval, type Cluster } from './bootstrap-interval.js';
import { logScoreClampMin } from './method.js';

/** One forecaster's probabilities of YES over a list of questions; null where it gave none. */
export type Series = readonly {
  readonly cluster: string;
  readonly outcome: 0 | 1;
  readonly forecast: number | null;
}[];

/** Figures are null where `n` is 0, intervals where fewer than two clusters can be resampled. */
export interface Score {
  readonly n: number;
  /** Mean of (p − outcome)², 0 to 1; always saying ½ gives 0.25. Less is better. */
  readonly brier: number | null;
  readonly brier_interval_95: Interval;
  /** Mean of −ln of the probability given to what happened, at least 0.001 of it. Less is better. */
  readonly log_score: number | null;
}

/** Mean difference of two Brier scores on the questions both answered. Below 0 the first is the better one. */
export interface Difference {
  readonly n: number;
  readonly brier: number;
  readonly interval_95: Interval;
}

type Interval = readonly [low: number, high: number] | null;

export function scoreOf(series: Series): Score {
  const errors = series.flatMap(each => measured(each, squaredError));
  const losses = series.flatMap(each => measured(each, logLoss));
  return {
    n: errors.length,
    brier: meanOf(errors),
    brier_interval_95: bootstrapInterval(clustersOf(errors)),
    log_score: meanOf(losses),
  };
}

/** Null where no question was answered by both. */
export function differenceOf(one: Series, other: Series): Difference | null {
  const gaps = one.flatMap((each, index) => {
    const [mine] = measured(each, squaredError);
    const [theirs] = measured(at(other, index), squaredError);
    return mine && theirs ? [{ cluster: each.cluster, value: mine.value - theirs.value }] : [];
  });
  const brier = meanOf(gaps);
  return brier === null ? null : { n: gaps.length, brier, interval_95: bootstrapInterval(clustersOf(gaps)) };
}

interface Measured {
  readonly cluster: string;
  readonly value: number;
}

function measured(
  { cluster, outcome, forecast }: Series[number],
  loss: (p: number, outcome: 0 | 1) => number,
): Measured[] {
  return forecast === null ? [] : [{ cluster, value: loss(forecast, outcome) }];
}

function squaredError(p: number, outcome: 0 | 1): number {
  return (p - outcome) ** 2;
}

function logLoss(p: number, outcome: 0 | 1): number {
  return -Math.log(Math.max(logScoreClampMin, outcome === 1 ? p : 1 - p));
}

function meanOf(values: readonly Measured[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, { value }) => sum + value, 0) / values.length;
}

function clustersOf(values: readonly Measured[]): Cluster[] {
  const clusters = new Map<string, { sum: number; count: number }>();
  for (const { cluster, value } of values) {
    const so = clusters.get(cluster) ?? { sum: 0, count: 0 };
    clusters.set(cluster, { sum: so.sum + value, count: so.count + 1 });
  }
  return [...clusters.values()];
}
