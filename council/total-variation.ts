import { at } from './at.js';

/**
 * How much probability (0..1) would have to move to get from one distribution to the other: ½·Σ|p − q|.
 *
 * @param one and other: aligned distributions (0..1, adding up to 1)
 */
export function totalVariation(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, p, index) => sum + Math.abs(p - at(other, index)), 0) / 2;
}
