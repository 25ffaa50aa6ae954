import type { Venue } from '../council/event.js';
import type { MarketPurpose, MarketRequestOutcome } from '../council/market/market-requests.js';
import { polymarketRequests } from '../purchase/limits.js';
import { createRequestBudget, openGate, type RequestGate } from './request-budget.js';

/** The gates of a venue by purpose. All gates of a process to one venue share one budget. */
export function openGates(
  venue: Venue,
  now: () => Date,
  requests: RequestCounter,
): (purpose: MarketPurpose) => RequestGate {
  // The bundled events are in memory.
  if (venue === 'sample') return () => openGate;
  return createRequestBudget(now, polymarketRequests, (purpose, outcome) =>
    requests.inc({ venue, purpose, outcome }),
  );
}

export interface RequestCounter {
  inc(labels: { venue: Venue; purpose: MarketPurpose; outcome: MarketRequestOutcome }): void;
}
