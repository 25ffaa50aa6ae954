import type { MarketEvent } from '../../../council/event.js';
import type { EventSource } from '../../../markets/event-source.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';

/** Sample events with as many copies of one as a test needs: `many-1`, `many-2` … Each is an event of its own. */
export function manyEvents(): EventSource {
  const source = createSampleEventSource();
  return {
    ...source,
    get: async idOrSlug => {
      if (!/^many-\d+$/.test(idOrSlug)) return source.get(idOrSlug);
      const original = await source.get('sample-fed-cut-2031');
      return original === null ? null : copyOf(original, idOrSlug);
    },
  };
}

/** The ids of the first copies. */
export function manyIds(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, index) => `many-${index + from}`);
}

function copyOf(event: MarketEvent, eventId: string): MarketEvent {
  const markets = event.markets.map(market => ({
    ...market,
    marketId: `${eventId}-${market.marketId}`,
    slug: `${eventId}-${market.slug}`,
  }));
  return { ...event, eventId, slug: eventId, title: `${event.title} (${eventId})`, markets };
}
