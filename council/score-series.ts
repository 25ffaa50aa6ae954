import { at } from './at.js';
import { clusteredMean } from './clustered-mean.js';
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
  const errors = clusteredMean();
  let losses = 0;
  for (const { cluster, outcome, forecast } of series) {
    if (forecast === null) continue;
    errors.add(cluster, squaredError(forecast, outcome));
    losses += logLoss(forecast, outcome);
  }
  const { n, mean, interval_95 } = errors.finish();
  return { n, brier: mean, brier_interval_95: interval_95, log_score: n === 0 ? null : losses / n };
}

/** Null where no question was answered by both. */
export function differenceOf(one: Series, other: Series): Difference | null {
  const gaps = clusteredMean();
  for (const [index, { cluster, outcome, forecast }] of one.entries()) {
    const theirs = at(other, index).forecast;
    if (forecast === null || theirs === null) continue;
    gaps.add(cluster, squaredError(forecast, outcome) - squaredError(theirs, outcome));
  }
  const { n, mean, interval_95 } = gaps.finish();
  return mean === null ? null : { n, brier: mean, interval_95 };
}

function squaredError(p: number, outcome: 0 | 1): number {
  return (p - outcome) ** 2;
}

function logLoss(p: number, outcome: 0 | 1): number {
  return -Math.log(Math.max(logScoreClampMin, outcome === 1 ? p : 1 - p));
}
