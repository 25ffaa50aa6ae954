import type { Score } from './grade-score.js';

/** Means over the reports that somebody has scores on: n of them. Null where n is 0. */
export interface Figures {
  /** 0 to 2; always saying ½ of a yes/no question gives 0.5. Less is better. */
  readonly brier: number | null;
  readonly log_score: number | null;
  /** 0..1. */
  readonly hit_rate: number | null;
  readonly n: number;
}

export interface FiguresSoFar {
  /** Null, for who has no score on a report, counts nowhere. */
  add(score: Score | null): void;
  finish(): Figures;
}

export function figures(): FiguresSoFar {
  const sums = { brier: 0, log_score: 0, hit: 0 };
  let n = 0;
  return {
    add: score => {
      if (score === null) return;
      sums.brier += score.brier;
      sums.log_score += score.log_score;
      sums.hit += score.hit;
      n += 1;
    },
    finish: () => {
      const mean = (sum: number) => (n === 0 ? null : sum / n);
      return { brier: mean(sums.brier), log_score: mean(sums.log_score), hit_rate: mean(sums.hit), n };
    },
  };
}
