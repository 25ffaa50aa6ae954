import type { Venue } from '../council/event.js';
import type { EventSource } from './event-source.js';
import { createKalshiEventSource } from './kalshi/kalshi-event-source.js';
import type { KalshiIndex } from './kalshi/kalshi-index.js';
import type { KalshiKept } from './kalshi/kalshi-kept.js';
import { createGammaEventSource } from './polymarket/gamma-event-source.js';
import type { RequestGate } from './request-budget.js';
import { createSampleEventSource } from './sample/sample-event-source.js';

/** How long a venue has for one attempt of a request, in milliseconds. */
export const requestTimeoutMs = 5_000;

export interface VenueSettings {
  /** The venues that the service sells reports on. */
  readonly MARKETS: readonly Venue[];
  readonly POLYMARKET_GAMMA_URL: string;
  readonly POLYMARKET_DATA_URL: string;
  readonly POLYMARKET_CLOB_URL: string;
  readonly KALSHI_API_URL: string;
}

export interface VenueContext {
  /** Admits the requests. */
  readonly gate: RequestGate;
  /** Finds Kalshi's events. */
  readonly kalshiIndex: KalshiIndex;
  /** What was read of Kalshi before. One for all sources of a process. */
  readonly kalshiKept: KalshiKept;
  /** Default: {@link requestTimeoutMs}. */
  readonly timeoutMs?: number;
}

export function openVenue(venue: Venue, settings: VenueSettings, context: VenueContext): EventSource {
  const { gate, kalshiIndex, kalshiKept, timeoutMs = requestTimeoutMs } = context;
  const http = { fetch: globalThis.fetch, timeoutMs, gate };
  switch (venue) {
    case 'polymarket':
      return createGammaEventSource({
        ...http,
        baseUrl: settings.POLYMARKET_GAMMA_URL,
        clobUrl: settings.POLYMARKET_CLOB_URL,
        dataUrl: settings.POLYMARKET_DATA_URL,
      });
    case 'kalshi':
      return createKalshiEventSource({
        ...http,
        baseUrl: settings.KALSHI_API_URL,
        index: kalshiIndex,
        kept: kalshiKept,
      });
    case 'sample':
      return createSampleEventSource();
  }
}
