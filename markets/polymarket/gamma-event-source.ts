import type { MarketEvent } from '../../council/event.js';
import { type EventSource, MarketUnreadable, type PricePoint, type PriceQuery } from '../event-source.js';
import { createVenueClient, type VenueClient, type VenueHttp } from '../http/venue-client.js';
import { listGammaEvents } from './list-gamma-events.js';
import { parseGammaEvent } from './parse-gamma-event.js';
import { readClobPrices, yesTokenOf } from './read-clob-prices.js';
import { readOracleWords } from './read-oracle-words.js';
import { searchGamma } from './search-gamma.js';

/**
 * Polymarket's events from its Gamma API. A text search uses Gamma's ranking by relevance; an empty search
 * lists the most traded events, or those that close next, and has no total. Events without a readable market are omitted.
 */
export function createGammaEventSource(options: GammaOptions): EventSource {
  const clientOf = (baseUrl: string, endpointOf = (path: string) => path) =>
    createVenueClient({
      ...options,
      baseUrl,
      name: 'Polymarket',
      endpointOf,
      throttledSeconds: () => usualPauseSeconds,
    });
  const client = clientOf(options.baseUrl, gammaEndpointOf);
  const { clobUrl, dataUrl, now = () => new Date() } = options;
  const clob = clobUrl === undefined ? null : clientOf(clobUrl);
  const data = dataUrl === undefined ? null : clientOf(dataUrl);
  return {
    async search(query) {
      const normalized = {
        ...query,
        search: query.search.trim(),
        skip: Math.max(0, Math.trunc(query.skip)),
        limit: Math.min(100, Math.max(1, Math.trunc(query.limit))),
      };
      return normalized.search === ''
        ? listGammaEvents(client, normalized, now())
        : searchGamma(client, normalized);
    },
    get: eventId => getEvent(client, eventId),
    async readEnding(eventId) {
      const answer = await readRawEvent(client, eventId);
      const event = eventIn(answer);
      if (!answer.found || event === null) return null;
      return { event, words: data === null ? {} : await readOracleWords(data, answer.body) };
    },
    readPrices: async query => (clob === null ? null : readPrices(client, clob, query)),
  };
}

async function getEvent(client: VenueClient, eventId: string): Promise<MarketEvent | null> {
  return eventIn(await readRawEvent(client, eventId));
}

/** @throws MarketUnreadable */
function eventIn(answer: Awaited<ReturnType<VenueClient['get']>>): MarketEvent | null {
  if (!answer.found) return null;
  const event = parseGammaEvent(answer.body);
  if (event === null) throw new MarketUnreadable('Polymarket answered with an event that cannot be read.');
  return event.markets.length === 0 ? null : event;
}

/** Takes two requests: Gamma knows the market's token, the order book API its prices. */
async function readPrices(
  gamma: VenueClient,
  clob: VenueClient,
  query: PriceQuery,
): Promise<readonly PricePoint[] | null> {
  const answer = await readRawEvent(gamma, query.eventId);
  const token = answer.found ? yesTokenOf(answer.body, query.marketId) : null;
  return token === null ? null : readClobPrices(clob, token, query);
}

/** Validates the id before it becomes part of a path: `..` would select another resource. */
async function readRawEvent(client: VenueClient, eventId: string): ReturnType<VenueClient['get']> {
  if (!validEventId.test(eventId)) return { found: false, status: 404 };
  return client.get(/^\d+$/.test(eventId) ? `/events/${eventId}` : `/events/slug/${eventId}`);
}

export interface GammaOptions extends VenueHttp {
  /** The address of the API, for example `https://gamma-api.polymarket.com`. */
  readonly baseUrl: string;
  /** The address of the order book API. Without it, there are no past prices. */
  readonly clobUrl?: string;
  /** The address of the data API, which has the oracle's answers. Without it, no market has a final word. */
  readonly dataUrl?: string;
  readonly now?: () => Date;
}

/** Gamma limits requests by endpoint; of the other APIs, each path is one. */
function gammaEndpointOf(path: string): string {
  return path === '/public-search' || path.startsWith('/events/keyset') ? path : '/events';
}

/** The usual delay of the rate limits. */
const usualPauseSeconds = 10;

const validEventId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,254}$/;
