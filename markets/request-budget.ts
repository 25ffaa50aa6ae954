import type { MarketPurpose, MarketRequestOutcome } from '../council/market/market-requests.js';
import { marketRequestsBurst, marketRequestsPerSecond, marketRequestsReserved } from '../purchase/limits.js';

/** Admits the requests of one purpose. */
export interface RequestGate {
  /** Takes a request from the budget. @returns 0, or after how many seconds to ask again */
  admit(endpoint: string): number;
  /** The market asks for no request to this endpoint for this time. */
  pause(endpoint: string, seconds: number): void;
  ended(outcome: MarketRequestOutcome): void;
}

/** What the budget must still hold for a request of this purpose. The others pay for each request, or are few. */
const leftFor: Partial<Record<MarketPurpose, number>> = { browse: marketRequestsReserved + 1, check: 1 };

/**
 * The requests that a process may send to the market: a token bucket that all purposes take from and only `browse` and
 * `check` wait for, so that no flood of searches keeps a report from being sold. A flood of price checks leaves nothing
 * to searches, and fails before a purchase does. A pause that the market asked for holds for every purpose.
 */
export function createRequestBudget(
  now: () => Date,
  onRequest: (purpose: MarketPurpose, outcome: MarketRequestOutcome) => void,
): (purpose: MarketPurpose) => RequestGate {
  let tokens = marketRequestsBurst;
  let filledAtMs = now().getTime();
  const pausedUntilMs = new Map<string, number>();

  /** @returns the seconds to wait for, or 0 if the request was taken from the budget */
  const take = (purpose: MarketPurpose, endpoint: string): number => {
    const nowMs = now().getTime();
    tokens = Math.min(marketRequestsBurst, tokens + perMs * Math.max(0, nowMs - filledAtMs));
    filledAtMs = nowMs;
    const pausedMs = (pausedUntilMs.get(endpoint) ?? 0) - nowMs;
    if (pausedMs > 0) return Math.ceil(pausedMs / 1_000);
    const missing = (leftFor[purpose] ?? Number.NEGATIVE_INFINITY) - tokens;
    if (missing > 0) return Math.ceil(missing / marketRequestsPerSecond);
    // A debt without limit would keep searches waiting long after many purchases.
    tokens = Math.max(-marketRequestsBurst, tokens - 1);
    return 0;
  };

  return purpose => ({
    admit: endpoint => {
      const seconds = take(purpose, endpoint);
      if (seconds > 0) onRequest(purpose, 'refused');
      return seconds;
    },
    pause: (endpoint, seconds) => pausedUntilMs.set(endpoint, now().getTime() + seconds * 1_000),
    ended: outcome => onRequest(purpose, outcome),
  });
}

const perMs = marketRequestsPerSecond / 1_000;

/** Admits everything. */
export const openGate: RequestGate = { admit: () => 0, pause: () => undefined, ended: () => undefined };
