import { createSampleEventSource } from '../simulator/events/sample-event-source.js';
import type { EventSource } from './event-source.js';
import { createGammaEventSource } from './gamma/gamma-event-source.js';
import type { RequestGate } from './request-budget.js';

const requestTimeoutMs = 5_000;

export interface MarketSettings {
  readonly MARKETS: 'polymarket' | 'sample';
  readonly POLYMARKET_GAMMA_URL: string;
}

/** Creates the event source that the settings select, with requests that the gate admits. */
export function createEventSource(settings: MarketSettings, gate: RequestGate): EventSource {
  return settings.MARKETS === 'sample'
    ? createSampleEventSource()
    : createGammaEventSource({
        baseUrl: settings.POLYMARKET_GAMMA_URL,
        fetch: globalThis.fetch,
        timeoutMs: requestTimeoutMs,
        gate,
      });
}
