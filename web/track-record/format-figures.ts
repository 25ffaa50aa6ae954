import { percent, signed } from '../shared/format.js';

/** How the figures of the track record are written. Null stands for what there is none of. */

const digits = 3;

export const score = (value: number | null) => (value === null ? null : value.toFixed(digits));

export const share = (value: number | null) => (value === null ? null : percent(value * 100));

export const difference = (value: number | null) => (value === null ? null : signed(value, digits));

/** Dollars per dollar staked, in cents. */
export const gain = (value: number | null) => (value === null ? null : `${signed(value * 100)}\u00a0¢`);

/** From … to …, each end written the same way. */
export function range(
  interval: readonly [low: number, high: number] | null,
  written: (value: number) => string | null,
): string | null {
  return interval === null ? null : `${written(interval[0])} to ${written(interval[1])}`;
}

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Where a value stands in a plot, as a position in percent of its width or height. */
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

/** What is less is written as 0, and drawn there: a plot must not blow up what rounding leaves behind. */
const reachMin = 0.001;

/**
 * How far a plot reaches to either side of zero so that all of these fit into it. Zero is in its middle, so that neither
 * side is drawn longer than the other.
 */
export function reachOf(values: readonly number[]): number {
  const farthest = Math.max(0, ...values.map(Math.abs));
  return farthest === 0 ? 1 : roundUp(Math.max(farthest, reachMin));
}

/** From −reach at `margin` to +reach at 100 − `margin`. */
export function aroundZero(reach: number, margin: number): Scale {
  return value => 50 + (value / reach) * (50 - margin);
}

/** From 0 at `start` to 1 at `end`; where `end` is less, the scale runs backwards, as heights do on a screen. */
export function fromZeroToOne(start: number, end: number): Scale {
  return value => start + value * (end - start);
}

const radiusMin = 3.5;
const radiusMax = 11;

/** Radius in pixels of a point that stands for n of at most `most`: areas compare as the numbers do. */
export function radiusOf(n: number, most: number): number {
  return most === 0 ? radiusMin : Math.max(radiusMin, radiusMax * Math.sqrt(n / most));
}
