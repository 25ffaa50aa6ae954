import type { FeeSchedule } from './event.js';

/**
 * Taker fee of one share, in dollars: `rate · (p · (1 − p)) ^ exponent`, the market platform's published formula.
 * The same for both sides: it does not change when p becomes 1 − p.
 */
export function takerFee(price: number, { rate, exponent }: FeeSchedule): number {
  return rate * (price * (1 - price)) ** exponent;
}
