import type { MarketPurpose, MarketRequestOutcome } from '../council/market/market-requests.js';
import { marketRequestsReserved } from '../purchase/limits.js';

/** Admits the requests of one purpose. */
export interface RequestGate {
  /** Takes a request from the budget, waiting for its turn. @returns 0, or after how many seconds to ask again */
  admit(endpoint: string): Promise<number>;
  /** The market asks for no request to this endpoint for this time. */
  pause(endpoint: string, seconds: number): void;
  /** Ends the turn of an admitted request. */
  ended(outcome: MarketRequestOutcome): void;
}

/** What a process may send to a venue. */
export interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * What the budget must still hold for a request of this purpose. The others pay for each request and wait for nothing, or
 * are few.
 */
const leftFor: Partial<Record<MarketPurpose, number>> = {
  browse: marketRequestsReserved + 1,
  batch: marketRequestsReserved + 1,
  check: 1,
};

/**
 * The requests that a process may send to the market: a token bucket that all purposes take from and only `browse`,
 * `batch` and `check` wait for, so that no flood of searches keeps a report from being sold. A flood of price checks leaves nothing
 * to searches, and fails before a purchase does. A pause that the market asked for holds for every purpose.
 */
export function createRequestBudget(
  now: () => Date,
  { perSecond, burst }: RequestRate,
  onRequest: (purpose: MarketPurpose, outcome: MarketRequestOutcome) => void,
): (purpose: MarketPurpose) => RequestGate {
  let tokens = burst;
  let filledAtMs = now().getTime();
  const pausedUntilMs = new Map<string, number>();

  /** @returns the seconds to wait for, or 0 if the request was taken from the budget */
  const take = (purpose: MarketPurpose, endpoint: string): number => {
    const nowMs = now().getTime();
    tokens = Math.min(burst, tokens + (perSecond / 1_000) * Math.max(0, nowMs - filledAtMs));
    filledAtMs = nowMs;
    const pausedMs = (pausedUntilMs.get(endpoint) ?? 0) - nowMs;
    if (pausedMs > 0) return Math.ceil(pausedMs / 1_000);
    const missing = (leftFor[purpose] ?? Number.NEGATIVE_INFINITY) - tokens;
    if (missing > 0) return Math.ceil(missing / perSecond);
    // A debt without limit would keep searches waiting long after many purchases.
    tokens = Math.max(-burst, tokens - 1);
    return 0;
  };

  return purpose => ({
    admit: async endpoint => {
      const seconds = take(purpose, endpoint);
      if (seconds > 0) onRequest(purpose, 'refused');
      return seconds;
    },
    pause: (endpoint, seconds) => pausedUntilMs.set(endpoint, now().getTime() + seconds * 1_000),
    ended: outcome => onRequest(purpose, outcome),
  });
}

/** Admits everything. */
export const openGate: RequestGate = { admit: async () => 0, pause: () => undefined, ended: () => undefined };
