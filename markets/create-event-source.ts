import type { EventSource } from './event-source.js';
import { createGammaEventSource } from './gamma/gamma-event-source.js';
import { createSampleEventSource } from './sample/sample-event-source.js';

const requestTimeoutMs = 5_000;

/** Creates the event source that the settings select. */
export function createEventSource(settings: {
  MARKETS: 'polymarket' | 'sample';
  POLYMARKET_GAMMA_URL: string;
}): EventSource {
  return settings.MARKETS === 'sample'
    ? createSampleEventSource()
    : createGammaEventSource({
        baseUrl: settings.POLYMARKET_GAMMA_URL,
        fetch: globalThis.fetch,
        timeoutMs: requestTimeoutMs,
      });
}
