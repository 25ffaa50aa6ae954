import type { Venue } from '../council/event.js';
import type { EventSource } from './event-source.js';
import { createGammaEventSource } from './polymarket/gamma-event-source.js';
import type { RequestGate } from './request-budget.js';
import { createSampleEventSource } from './sample/sample-event-source.js';

const requestTimeoutMs = 5_000;

export interface VenueSettings {
  /** The venues that the service sells reports on. */
  readonly MARKETS: readonly Venue[];
  readonly POLYMARKET_GAMMA_URL: string;
  readonly POLYMARKET_DATA_URL: string;
  readonly POLYMARKET_CLOB_URL: string;
  readonly KALSHI_API_URL: string;
}

/** Opens a venue, with requests that the gate admits. */
export function openVenue(venue: Venue, settings: VenueSettings, gate: RequestGate): EventSource {
  const http = { fetch: globalThis.fetch, timeoutMs: requestTimeoutMs, gate };
  switch (venue) {
    case 'polymarket':
      return createGammaEventSource({
        ...http,
        baseUrl: settings.POLYMARKET_GAMMA_URL,
        clobUrl: settings.POLYMARKET_CLOB_URL,
      });
    case 'kalshi':
      throw new Error('Kalshi is not supported yet.');
    case 'sample':
      return createSampleEventSource();
  }
}
