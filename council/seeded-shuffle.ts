import { at } from './at.js';
import { seededRandom } from './seeded-random.js';

/** A permutation that follows from the seed alone (Fisher–Yates): for fairness among labels. */
export function seededShuffle<T>(seed: string, items: readonly T[]): T[] {
  const next = seededRandom(seed);
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(next() * (last + 1));
    const kept = at(shuffled, last);
    shuffled[last] = at(shuffled, chosen);
    shuffled[chosen] = kept;
  }
  return shuffled;
}
