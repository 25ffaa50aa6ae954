import type { OutcomeSet } from '../market/outcome-set.js';
import { dissentMinPoints } from '../method.js';
import { at, atLeast, indexOfMax, roundTo, scaledToOne, totalVariation } from '../numbers.js';
import type { Position } from '../report.js';
import type { MemberForecast } from './consensus.js';

/**
 * Where each member stands against the council, and how far the review moved it. Dissent is computed, so that no
 * synthesis can smooth it over: on an exclusive event a member dissents whose favourite is another than the
 * council's; on any event one that is 15 points or more away from it.
 *
 * Points of distance: how much probability would have to move to get from one distribution to the other (½·Σ|p − q|);
 * on independent markets the widest gap on any of them.
 *
 * @param council pooled probabilities (0..1), unrounded
 */
export function positions(
  set: OutcomeSet,
  council: readonly number[],
  forecasts: readonly MemberForecast[],
): Position[] {
  const prepared = (fractions: readonly number[]) => (set.exclusive ? scaledToOne(fractions) : fractions);
  const councilFavourite = indexOfMax(council);
  return forecasts.map(({ model, first, fractions }) => {
    const final = prepared(fractions);
    const favourite = indexOfMax(final);
    const distance = points(set.exclusive, final, council);
    const otherFavourite = set.exclusive && at(final, favourite) > at(final, councilFavourite);
    return {
      model,
      most_likely_outcome: at(set.outcomes, favourite).name,
      most_likely_probability: roundTo(at(final, favourite) * 100, 1),
      moved_points: roundTo(points(set.exclusive, prepared(first), final), 1),
      distance_points: roundTo(distance, 1),
      dissents: otherFavourite || atLeast(distance, dissentMinPoints),
    };
  });
}

function points(exclusive: boolean, one: readonly number[], other: readonly number[]): number {
  if (exclusive) return totalVariation(one, other) * 100;
  return Math.max(...one.map((p, index) => Math.abs(p - at(other, index)))) * 100;
}
