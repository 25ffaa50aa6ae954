import { percentText, signed } from '../shared/format.js';

/** Formats the figures of the track record. A missing figure is null. */

const digits = 3;

export const score = (value: number | null) => (value === null ? null : value.toFixed(digits));

export const share = (value: number | null) => (value === null ? null : percentText(value * 100));

export const difference = (value: number | null) => (value === null ? null : signed(value, digits));

/** @param value return in dollars per dollar staked; formatted in cents */
export const gain = (value: number | null) => (value === null ? null : `${signed(value * 100)}\u00a0¢`);

/** @param value difference of two shares; formatted in percentage points, without the unit */
export const points = (value: number | null) => (value === null ? null : signed(value * 100));

/** @param value percentage points, which stand without a sign and a unit */
export const distanceText = (value: number | null) => (value === null ? null : value.toFixed(1));

/** "low to high" */
export function range(
  interval: readonly [low: number, high: number] | null,
  format: (value: number) => string | null,
): string | null {
  return interval === null ? null : `${format(interval[0])} to ${format(interval[1])}`;
}

/** @param log natural logarithm of dollars; very many are written as a power of ten */
export function dollarsOf(log: number): string {
  const powerOfTen = Math.floor(log / Math.LN10);
  return powerOfTen < 6 ? `$${Math.exp(log).toFixed(2)}` : `$10^${powerOfTen}`;
}

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Position of a value in a plot, in percent of its width or height. */
export type Scale = (value: number) => number;

const steps = [1, 2, 5];

/**
 * The next round number at or above, of 1, 2 and 5 times a power of ten.
 * @param value above 0
 */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = steps.find(step => step * power >= value - power * 1e-9) ?? 10;
  return Number((step * power).toPrecision(1));
}

/** Smaller values are displayed as 0. Without this bound, a plot would magnify rounding errors. */
const reachMin = 0.001;

/** Range of a plot around zero that contains all values, equally wide on both sides. */
export function reachOf(values: readonly number[]): number {
  const farthest = Math.max(0, ...values.map(Math.abs));
  return farthest === 0 ? 1 : roundUp(Math.max(farthest, reachMin));
}

/** Maps −reach to `margin` and +reach to 100 − `margin`. */
export function aroundZero(reach: number, margin: number): Scale {
  return value => 50 + (value / reach) * (50 - margin);
}

/** Maps 0 to `start` and 1 to `end`, which may be smaller, as for heights on a screen. */
export function fromZeroToOne(start: number, end: number): Scale {
  return value => start + value * (end - start);
}

const radiusMin = 3.5;
const radiusMax = 11;

/** Radius in pixels of a point whose area is proportional to n, for n up to `max`. */
export function radiusOf(n: number, max: number): number {
  return max === 0 ? radiusMin : Math.max(radiusMin, radiusMax * Math.sqrt(n / max));
}
