import {
  cachedPriceDivisor,
  quoteToleranceDenominator,
  quoteToleranceNumerator,
  usdMicrosPerCredit,
} from '../limits.js';
import { clamp } from '../numbers.js';

/** The price of a fresh report, and the estimate of the provider cost of a run that it follows. */
export interface Quote {
  readonly freshCredits: number;
  /** Micro-dollars. Never shown to a caller. */
  readonly estimateUsdMicros: number;
}

/** The initial price, before the cost of any run is known. */
export const openingQuote: Quote = { freshCredits: 120, estimateUsdMicros: 400_000 };

export const markup = 3;
export const freshCreditsFloor = 60;
export const freshCreditsCeiling = 600;
export const estimateWeightOfOneRun = 1 / 8;
export const stepMaxShare = 0.05;

/**
 * The quote after one more run: an exponential moving average of the cost, marked up, at 0.01 USD per credit,
 * between floor and ceiling. One run moves the price by at most 5 % (but at least one credit), so a single
 * expensive run cannot push a caller's quote outside the 15 % tolerance.
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

/** The price for a cost estimate, towards which the quote moves step by step. */
export function targetCredits(estimateUsdMicros: number): number {
  const markedUp = Math.ceil((estimateUsdMicros * markup) / usdMicrosPerCredit);
  return clamp(markedUp, freshCreditsFloor, freshCreditsCeiling);
}

/** Half of the fresh price, rounded up to a whole credit. */
export function cachedCredits(freshCredits: number): number {
  return Math.ceil(freshCredits / cachedPriceDivisor);
}

/**
 * The charge at the current price for a caller with a quote: the lesser of the two if |current − quoted| ≤ 15
 * % of quoted, in integer arithmetic, limit included. Null if the quote has expired.
 */
export function honouredCredits(currentCredits: number, quotedCredits: number | null): number | null {
  if (quotedCredits === null) return currentCredits;
  const [current, quoted] = [BigInt(currentCredits), BigInt(quotedCredits)];
  const gap = current > quoted ? current - quoted : quoted - current;
  if (gap * quoteToleranceDenominator > quoted * quoteToleranceNumerator) return null;
  return Math.min(currentCredits, quotedCredits);
}
