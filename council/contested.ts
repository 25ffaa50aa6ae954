import { at } from './at.js';
import { conflict } from './conflict.js';
import type { ImpliedDistribution } from './implied-distribution.js';

/**
 * For every outcome, whether the market contradicts the council on it; aligned with the outcomes.
 * An exclusive set is judged as a whole. Independent markets are judged one by one, each as its own yes and no.
 * A market that cannot be trusted contradicts nobody.
 *
 * @param council pooled probabilities (0..1), unrounded
 */
export function contested(
  exclusive: boolean,
  council: readonly number[],
  market: ImpliedDistribution,
): boolean[] {
  if (exclusive) {
    const clash = market.trustworthy && conflict(council, market.fractions.map(orNothing));
    return council.map(() => clash);
  }
  return council.map((p, index) => {
    const q = at(market.fractions, index);
    return q !== null && at(market.firm, index) && conflict([p, 1 - p], [q, 1 - q]);
  });
}

/** A price that is missing where the others add up to 1 leaves nothing for its outcome. */
function orNothing(p: number | null): number {
  return p ?? 0;
}
