import { percent, signed } from '../format.js';

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
