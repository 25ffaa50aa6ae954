import { comparisonTolerance } from './method.js';

/**
 * The item at an index that must exist.
 * @throws RangeError when there is none, so that a defect never turns into a number
 */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`nothing at index ${index} of ${items.length}`);
  return item;
}

/** `value ≥ threshold` in decimal arithmetic: 0.8 − 0.55 reaches 0.25. */
export function atLeast(value: number, threshold: number): boolean {
  return value >= threshold - comparisonTolerance;
}

/** Index of the first largest value, −1 if there is none. Null is less than any number. */
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

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** @throws RangeError without values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return (at(sorted, lower) + at(sorted, upper)) / 2;
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** Rounds half up to the given number of decimals. Never returns −0, which JSON cannot represent. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale + 0;
}

/** Rounds down to the given number of decimals. What is a millionth of the last one below the next counts as it. */
export function floorTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.floor(withoutNoise(value * scale)) / scale;
}

/**
 * Rounds a distribution to percents with one decimal that add up to exactly 100.0, using the largest
 * remainder method in tenths of a percent. Equal remainders: the larger share first, then the earlier
 * outcome.
 *
 * @param shares any scale, none negative, aligned with the outcomes
 */
export function roundDistribution(shares: readonly number[]): number[] {
  const total = sum(shares);
  const quotas = shares.map(share => withoutNoise((share / total) * tenthsInTotal));
  const tenths = quotas.map(Math.floor);
  const missing = tenthsInTotal - sum(tenths);

  const byRemainder = [...quotas.keys()].sort((a, b) => {
    const remainders = at(quotas, b) - at(tenths, b) - (at(quotas, a) - at(tenths, a));
    return withoutNoise(remainders) || at(quotas, b) - at(quotas, a) || a - b;
  });
  const raised = new Set(byRemainder.slice(0, missing));
  return tenths.map((tenth, index) => (tenth + (raised.has(index) ? 1 : 0)) / 10);
}

const tenthsInTotal = 1_000;

/** Removes binary noise, so that 28.9 % is 289 tenths with no remainder. */
function withoutNoise(units: number): number {
  return Math.round(units * 1e6) / 1e6;
}

/** Scales a row to add up to 1, keeping its proportions. */
export function scaledToOne(row: readonly number[]): number[] {
  const total = sum(row);
  return row.map(p => p / total);
}

/**
 * Total variation distance, ½·Σ|p − q|: the probability (0..1) that has to move to turn one distribution into
 * the other.
 *
 * @param one and other: aligned distributions (0..1, adding up to 1)
 */
export function totalVariation(one: readonly number[], other: readonly number[]): number {
  return one.reduce((total, p, index) => total + Math.abs(p - at(other, index)), 0) / 2;
}
