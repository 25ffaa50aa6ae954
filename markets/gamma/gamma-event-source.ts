import type { MarketEvent } from '../../council/event.js';
import { type EventSource, MarketUnavailable } from '../event-source.js';
import { createGammaClient, type GammaClient, type GammaClientOptions } from './gamma-client.js';
import { listMostTraded } from './list-most-traded.js';
import { parseGammaEvent } from './parse-gamma-event.js';
import { searchGamma } from './search-gamma.js';

/**
 * Polymarket's events through its Gamma API. A text search is ranked by Gamma (relevance); an empty one gives
 * the most traded events first and has no total. Events without a single readable market are left out.
 *
 * @param options address, `fetch` and the milliseconds for one attempt of one request.
 */
export function createGammaEventSource(options: GammaClientOptions): EventSource {
  const client = createGammaClient(options);
  return {
    async search(query) {
      const asked = {
        ...query,
        search: query.search.trim(),
        page: Math.max(1, Math.trunc(query.page)),
        perPage: Math.min(100, Math.max(1, Math.trunc(query.perPage))),
      };
      return asked.search === '' ? listMostTraded(client, asked) : searchGamma(client, asked);
    },
    get: eventId => getEvent(client, eventId),
  };
}

/** The id is checked before it becomes part of a path: `..` would lead elsewhere. */
async function getEvent(client: GammaClient, eventId: string): Promise<MarketEvent | null> {
  if (!eventName.test(eventId)) return null;
  const answer = await client.get(/^\d+$/.test(eventId) ? `/events/${eventId}` : `/events/slug/${eventId}`);
  if (!answer.found) return null;
  const event = parseGammaEvent(answer.body);
  if (event === null) throw new MarketUnavailable('Polymarket answered with an event that cannot be read.');
  return event.markets.length === 0 ? null : event;
}

const eventName = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,254}$/;
