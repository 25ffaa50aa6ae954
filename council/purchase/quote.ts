import {
  cachedPriceDivisor,
  quoteToleranceDenominator,
  quoteToleranceNumerator,
  usdMicrosPerCredit,
} from '../limits.js';
import { clamp } from '../numbers.js';

/** A moving estimate of what a run costs the house, and the price that follows it. */
export interface Quote {
  readonly freshCredits: number;
  /** Micro-dollars. Never shown to a caller. */
  readonly estimateUsdMicros: number;
}

/** Before any run has been paid for, the price is a guess; it then follows what runs really cost. */
export const openingQuote: Quote = { freshCredits: 120, estimateUsdMicros: 400_000 };

export const markup = 3;
export const freshCreditsFloor = 60;
export const freshCreditsCeiling = 600;
export const estimateWeightOfOneRun = 1 / 8;
export const stepMaxShare = 0.05;

/**
 * The quote after one more run: an exponential moving average of cost, marked up at 0.01 USD a credit, kept
 * between floor and ceiling. One run moves the price by at most 5 % (at least one credit), so that a single
 * dear run never throws a caller who holds a quote outside the 15 % tolerance.
 */
export function nextQuote(current: Quote, runCostUsdMicros: number): Quote {
  const estimateUsdMicros = Math.round(
    current.estimateUsdMicros + (runCostUsdMicros - current.estimateUsdMicros) * estimateWeightOfOneRun,
  );
  const target = targetCredits(estimateUsdMicros);
  const stepMax = Math.max(1, Math.floor(current.freshCredits * stepMaxShare));
  return {
    freshCredits: clamp(target, current.freshCredits - stepMax, current.freshCredits + stepMax),
    estimateUsdMicros,
  };
}

/** The price that an estimate asks for: what the quote moves to, step by step. */
export function targetCredits(estimateUsdMicros: number): number {
  const markedUp = Math.ceil((estimateUsdMicros * markup) / usdMicrosPerCredit);
  return clamp(markedUp, freshCreditsFloor, freshCreditsCeiling);
}

/** Half of the fresh price, rounded up to a whole credit. */
export function cachedCredits(freshCredits: number): number {
  return Math.ceil(freshCredits / cachedPriceDivisor);
}

/**
 * What is charged at `currentCredits` when the caller was quoted `quotedCredits`: the lesser of the two while
 * |current − quoted| ≤ 15 % of quoted, edge included, in integers. Null: the quote has expired.
 */
export function honouredCredits(currentCredits: number, quotedCredits: number | null): number | null {
  if (quotedCredits === null) return currentCredits;
  const [current, quoted] = [BigInt(currentCredits), BigInt(quotedCredits)];
  const gap = current > quoted ? current - quoted : quoted - current;
  if (gap * quoteToleranceDenominator > quoted * quoteToleranceNumerator) return null;
  return Math.min(currentCredits, quotedCredits);
}
