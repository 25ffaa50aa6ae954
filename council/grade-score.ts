import { at } from './at.js';
import { atLeast } from './at-least.js';
import { logScoreClampMin } from './method.js';

/** How good one set of probabilities was. */
export interface Score {
  /** 0 (certain and right) to 2 (certain and wrong); less is better. */
  readonly brier: number;
  /** In nats, 0 to −ln 0.001; less is better. */
  readonly log_score: number;
  /** 1 where the favourite happened, 0 where it did not, a share where several were equally likely. */
  readonly hit: number;
}

/**
 * Scores probabilities against what happened.
 *
 * Exclusive outcomes: Brier = Σ (p − y)² over all of them (Brier 1950); log score = −ln of the probability given to
 * what happened, taken as 0.001 at least; a hit when it was the favourite, 1/k of one when it shared that with k − 1.
 * Independent markets: each is scored so with its two sides p and 1 − p, and the three figures are means over the
 * markets; the hit is then the share of markets on whose right side of ½ the forecast was. So a market asked about
 * alone and one among many are measured by the same rule.
 *
 * @param probabilities 0..1, aligned with `happened`, at least one
 */
export function scoreOf(
  probabilities: readonly number[],
  happened: readonly (0 | 1)[],
  exclusive: boolean,
): Score {
  if (exclusive) return scoreTogether(probabilities, happened);
  const scores = probabilities.map((p, index) => {
    const yes = at(happened, index) === 1;
    return scoreTogether([p, 1 - p], yes ? [1, 0] : [0, 1]);
  });
  return {
    brier: meanOf(scores.map(({ brier }) => brier)),
    log_score: meanOf(scores.map(score => score.log_score)),
    hit: meanOf(scores.map(({ hit }) => hit)),
  };
}

function scoreTogether(probabilities: readonly number[], happened: readonly (0 | 1)[]): Score {
  const given = at(probabilities, happened.indexOf(1));
  const favourites = favouritesOf(probabilities);
  return {
    brier: probabilities.reduce((sum, p, index) => sum + (p - at(happened, index)) ** 2, 0),
    // Plus 0: what was certain and right has lost nothing, and not minus nothing.
    log_score: -Math.log(Math.max(logScoreClampMin, given)) + 0,
    hit: favourites.includes(given) ? 1 / favourites.length : 0,
  };
}

/** The probabilities of the favourites: several where none is ahead. */
function favouritesOf(probabilities: readonly number[]): number[] {
  const highest = Math.max(...probabilities);
  return probabilities.filter(p => atLeast(p, highest));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
