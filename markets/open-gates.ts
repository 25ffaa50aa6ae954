import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Venue } from '../council/event.js';
import type { MarketPurpose, MarketRequestOutcome } from '../council/market/market-requests.js';
import { kalshiRequests, polymarketRequests } from '../purchase/limits.js';
import { requestTimeoutMs } from './open-venue.js';
import { createRequestBudget, openGate, type RequestGate } from './request-budget.js';
import { createTurnGates, type TurnStore } from './turn-gate.js';

export interface GateContext {
  readonly now: () => Date;
  readonly requests: RequestCounter;
  /** Whose turn it is at Kalshi, which counts the requests of all processes together. */
  readonly turns: TurnStore;
  readonly onStoreError: (error: unknown) => void;
}

/** The gates of a venue by purpose. All gates of a process to one venue share one budget: open them once. */
export function openGates(
  venue: Venue,
  { now, requests, turns, onStoreError }: GateContext,
): (purpose: MarketPurpose) => RequestGate {
  const onRequest = (purpose: MarketPurpose, outcome: MarketRequestOutcome) =>
    requests.inc({ venue, purpose, outcome });
  switch (venue) {
    case 'sample':
      // The bundled events are in memory.
      return () => openGate;
    case 'polymarket':
      return createRequestBudget(now, polymarketRequests, onRequest);
    case 'kalshi':
      return createTurnGates({
        venue,
        ...kalshiRequests,
        leaseMs: requestTimeoutMs + leaseSpareMs,
        store: turns,
        now,
        newId: randomUUID,
        wait: pause,
        onRequest,
        onStoreError,
      });
  }
}

/** A request ends by its timeout; this is for what its process still does. */
const leaseSpareMs = 1_000;

export interface RequestCounter {
  inc(labels: { venue: Venue; purpose: MarketPurpose; outcome: MarketRequestOutcome }): void;
}
