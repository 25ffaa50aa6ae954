import { at } from './numbers.js';

/**
 * Numbers in [0, 1) that follow from the seed alone: mulberry32, seeded by FNV-1a of the text. For fairness and
 * for figures that can be redone, not for secrets.
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

/** 32-bit FNV-1a over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Looked up once: it is called millions of times, and a global is looked up anew at every call. */
const { imul } = Math;

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
