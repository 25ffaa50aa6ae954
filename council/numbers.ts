import { comparisonTolerance } from './method.js';

/** The item at an index known to exist; a hole there is a defect, and must not become a number. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`nothing at index ${index} of ${items.length}`);
  return item;
}

/** `value ≥ threshold` as decimals would have it: 0.8 − 0.55 reaches 0.25. */
export function atLeast(value: number, threshold: number): boolean {
  return value >= threshold - comparisonTolerance;
}

/** Index of the largest value; the first of equals, −1 of none. Null counts as smaller than any number. */
export function indexOfMax(values: readonly (number | null)[]): number {
  let best = -1;
  let largest = Number.NEGATIVE_INFINITY;
  for (const [index, value] of values.entries()) {
    if (value !== null && value > largest) {
      best = index;
      largest = value;
    }
  }
  return best;
}

/** Rounds half up to so many decimals; never gives −0, which JSON would not keep. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale + 0;
}

/**
 * Rounds a distribution to percents of one decimal that add up to exactly 100.0, by largest remainder in whole
 * tenths. Equal remainders: the larger share first, then the earlier outcome.
 *
 * @param shares any scale, none negative, aligned with the outcomes
 */
export function roundDistribution(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const quotas = shares.map(share => settled((share / total) * tenthsInAll));
  const tenths = quotas.map(Math.floor);
  const missing = tenthsInAll - tenths.reduce((sum, tenth) => sum + tenth, 0);

  const byRemainder = [...quotas.keys()].sort((a, b) => {
    const remainders = at(quotas, b) - at(tenths, b) - (at(quotas, a) - at(tenths, a));
    return settled(remainders) || at(quotas, b) - at(quotas, a) || a - b;
  });
  const raised = new Set(byRemainder.slice(0, missing));
  return tenths.map((tenth, index) => (tenth + (raised.has(index) ? 1 : 0)) / 10);
}

const tenthsInAll = 1_000;

/** Takes binary noise off, so that 28.9 % is 289 tenths and no remainder. */
function settled(tenths: number): number {
  return Math.round(tenths * 1e6) / 1e6;
}

/** The same proportions, adding up to 1. */
export function scaledToOne(row: readonly number[]): number[] {
  const total = row.reduce((sum, p) => sum + p, 0);
  return row.map(p => p / total);
}

/**
 * How much probability (0..1) would have to move to get from one distribution to the other: ½·Σ|p − q|.
 *
 * @param one and other: aligned distributions (0..1, adding up to 1)
 */
export function totalVariation(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, p, index) => sum + Math.abs(p - at(other, index)), 0) / 2;
}
