import { at } from './numbers.js';

/**
 * Pseudo-random numbers in [0, 1) that depend only on the seed: mulberry32, seeded with the FNV-1a hash of
 * the text. For fair orders and reproducible figures, not for secrets.
 */
export function seededRandom(seed: string): () => number {
  let state = fnv1a(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A permutation that depends only on the seed (Fisher–Yates). */
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

/** 32-bit FNV-1a over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Looked up once, because it is called millions of times and every use of a global is a lookup. */
const { imul } = Math;
