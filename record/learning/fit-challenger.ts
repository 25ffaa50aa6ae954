import { toCoefficients, toVector } from '../../council/estimate/estimate.js';
import { fitCoefficients, type TrainingRow } from '../../council/estimate/fit-coefficients.js';
import type { Weights } from '../../council/estimate/weights.js';
import { at } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import { publishedCoefficients } from './compare-estimates.js';

/**
 * In events, for any number of rows. Cross-validation below 300 events at times prefers a λ of 3, which claims noise; with
 * more events, this one shrinks little.
 */
const lambda = 100;

/** No coefficient moves further in one refit, so that even a wrong activation changes little. */
const moveMax = 0.1;

/**
 * Bounds of `market` + `council`, the slope of the estimate where both agree. Above 1 it is surer than either of them, and
 * its bets claim more than they win.
 */
const slopeMin = 0.9;
const slopeMax = 1.3;

/**
 * Coefficients fitted to rows and shrunk towards the incumbent's, then moved back along the line to the incumbent until
 * they are within the bounds. The loss is convex, so every point of that line fits the rows at least as well as the
 * incumbent.
 */
export function fitChallenger(
  rows: readonly TrainingRow[],
  incumbent: Coefficients,
): Pick<Weights, 'coefficients' | 'prior' | 'lambda'> {
  const fitted = fitCoefficients(rows, { prior: incumbent, lambda });
  const start = toVector(incumbent);
  const moves = toVector(fitted).map((value, index) => value - at(start, index));
  const share = Math.min(1, slopeShare(fitted, incumbent), ...moves.map(move => moveMax / Math.abs(move)));
  const bounded = toCoefficients(start.map((value, index) => value + share * at(moves, index)));
  return { coefficients: publishedCoefficients(bounded), prior: incumbent, lambda };
}

/** The share of the way at which the slope leaves its bounds. An incumbent outside of them may only come nearer. */
function slopeShare(fitted: Coefficients, incumbent: Coefficients): number {
  const slope = slopeOf(incumbent);
  const move = slopeOf(fitted) - slope;
  const room = move > 0 ? slopeMax - slope : slope - slopeMin;
  return move === 0 ? 1 : Math.max(0, room) / Math.abs(move);
}

function slopeOf({ market, council }: Coefficients): number {
  return market + council;
}
