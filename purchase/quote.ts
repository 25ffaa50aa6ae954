import { clamp } from '../council/numbers.js';
import {
  cachedPriceDivisor,
  quoteToleranceDenominator,
  quoteToleranceNumerator,
  usdMicrosPerCredit,
} from './limits.js';

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
export const windowMinutes = 60;
export const windowMaxPercent = 3;

/** A quote and its price window: the time in which the price stays near the price at which the window began. */
export interface WindowedQuote extends Quote {
  readonly windowBeganAt: Date;
  /** The price before the first run of the window. */
  readonly windowCredits: number;
}

/** A completed run that moves the price. */
export interface PricedRun {
  readonly costUsdMicros: number;
  readonly completedAt: Date;
}

/**
 * The quote after one more run, computed from the quote before it (null before the first run) and the run alone.
 *
 * The price follows three times an exponential moving average of the cost, at 0.01 USD per credit, between floor and
 * ceiling. One run moves it by at most 5 %, and all runs of a window move it by at most 3 % from where the window
 * began.
 *
 * So two quotes in force within 60 minutes of each other differ by at most 10 % of the earlier one, whatever the runs
 * cost and however many they are. Proof: a window begins 60 minutes or more after the one before it, so an interval of
 * 60 minutes contains at most one beginning, and both quotes belong to one window or to two that follow each other. Let
 * the earlier window begin at price A: its quotes are within 0.97 A and 1.03 A, and the later window begins at its last
 * quote B, so its quotes are within 0.97 B and 1.03 B. The largest rise is therefore 1.03 × 1.03 / 0.97 < 1.094, and
 * the largest fall 0.97 × 0.97 / 1.03 > 0.913. Rounding is towards the beginning of the window, so it never adds to
 * this, and 3 % of the floor is more than one credit, so the price can always move.
 *
 * The times are those that the completing workers report. If their clocks differ, a window can be shorter by as much.
 */
export function nextQuote(before: WindowedQuote | null, run: PricedRun): WindowedQuote {
  const current = before ?? openingQuote;
  const estimateUsdMicros = Math.round(
    current.estimateUsdMicros + (run.costUsdMicros - current.estimateUsdMicros) * estimateWeightOfOneRun,
  );
  const stepMax = Math.max(1, Math.floor(current.freshCredits * stepMaxShare));
  const window = windowOf(before, run.completedAt);
  const windowMax = Math.floor((window.windowCredits * windowMaxPercent) / 100);
  const stepped = clamp(
    targetCredits(estimateUsdMicros),
    current.freshCredits - stepMax,
    current.freshCredits + stepMax,
  );
  return {
    freshCredits: clamp(stepped, window.windowCredits - windowMax, window.windowCredits + windowMax),
    estimateUsdMicros,
    ...window,
  };
}

/** The window of a run: that of the quote before it, or a new one that begins at the price of that quote. */
function windowOf(before: WindowedQuote | null, completedAt: Date) {
  if (before !== null && completedAt.getTime() - before.windowBeganAt.getTime() < windowMinutes * 60_000) {
    return { windowBeganAt: before.windowBeganAt, windowCredits: before.windowCredits };
  }
  return { windowBeganAt: completedAt, windowCredits: (before ?? openingQuote).freshCredits };
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
