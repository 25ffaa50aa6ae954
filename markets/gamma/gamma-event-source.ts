import type { MarketEvent } from '../../council/event.js';
import { type EventSource, MarketUnavailable } from '../event-source.js';
import { createGammaClient, type GammaClient, type GammaClientOptions } from './gamma-client.js';
import { listMostTraded } from './list-most-traded.js';
import { parseGammaEvent } from './parse-gamma-event.js';
import { searchGamma } from './search-gamma.js';

/**
 * Polymarket's events from its Gamma API. A text search uses Gamma's ranking by relevance; an empty search
 * returns the most traded events and has no total. Events without a readable market are omitted.
 */
export function createGammaEventSource(options: GammaClientOptions): EventSource {
  const client = createGammaClient(options);
  return {
    async search(query) {
      const normalized = {
        ...query,
        search: query.search.trim(),
        page: Math.max(1, Math.trunc(query.page)),
        perPage: Math.min(100, Math.max(1, Math.trunc(query.perPage))),
      };
      return normalized.search === '' ? listMostTraded(client, normalized) : searchGamma(client, normalized);
    },
    get: eventId => getEvent(client, eventId),
  };
}

/** Validates the id before it becomes part of a path: `..` would select another resource. */
async function getEvent(client: GammaClient, eventId: string): Promise<MarketEvent | null> {
  if (!validEventId.test(eventId)) return null;
  const answer = await client.get(/^\d+$/.test(eventId) ? `/events/${eventId}` : `/events/slug/${eventId}`);
  if (!answer.found) return null;
  const event = parseGammaEvent(answer.body);
  if (event === null) throw new MarketUnavailable('Polymarket answered with an event that cannot be read.');
  return event.markets.length === 0 ? null : event;
}

const validEventId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,254}$/;
