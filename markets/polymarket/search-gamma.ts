import type { MarketEvent } from '../../council/event.js';
import type { EventQuery } from '../../council/market/event-choice.js';
import { venueCategories } from '../categories.js';
import { byVolume, type FoundEvents, MarketUnreadable } from '../event-source.js';
import type { VenueClient } from '../http/venue-client.js';
import { gammaEventSchema, gammaSearchSchema, gammaTagSchema } from './gamma-schema.js';
import { parseGammaEvent } from './parse-gamma-event.js';

/**
 * Returns one page of Gamma's text search. A category, or an order other than Gamma's ranking, applies to the 100 best
 * matches, and their total is unknown.
 *
 * @throws MarketUnavailable
 */
export async function searchGamma(client: VenueClient, query: EventQuery): Promise<FoundEvents> {
  const { category, sort, skip, limit } = query;
  if (category === null && sort === 'relevance') return searchRanked(client, query, () => true);
  const tags = category === null ? null : venueCategories[category].polymarket;
  const best = { ...query, skip: 0, limit: bestMatches };
  const { events } = await searchRanked(client, best, raw => tags === null || hasTag(raw, tags));
  const sorted = sort === 'relevance' ? events : [...events].sort(orders[sort]);
  return { events: sorted.slice(skip, skip + limit), total: null };
}

const bestMatches = 100;

/** Events without an end come last. */
const orders = {
  volume: byVolume,
  closing: (a: MarketEvent, b: MarketEvent) =>
    (a.closesAt ?? '9').localeCompare(b.closesAt ?? '9') || byVolume(a, b),
} as const;

function hasTag(rawEvent: unknown, slugs: readonly string[]): boolean {
  const event = gammaEventSchema.safeParse(rawEvent);
  return (event.data?.tags ?? []).some(raw => slugs.includes(gammaTagSchema.safeParse(raw).data?.slug ?? ''));
}

/**
 * Returns one page in Gamma's ranking. Reads batches of at most 20 events, Gamma's
 * maximum, and stops at a batch without new events.
 */
async function searchRanked(
  client: VenueClient,
  query: EventQuery,
  isWanted: (rawEvent: unknown) => boolean,
): Promise<FoundEvents> {
  const size = Math.min(query.limit, maxBatch);
  const first = query.skip;
  const end = first + query.limit;
  const found = new Map<string, MarketEvent>();
  const unwanted = new Set<string>();
  let total: number | null = null;
  for (let batch = Math.floor(first / size); batch * size < end; batch += 1) {
    const answer = await readBatch(client, query, { page: batch + 1, size });
    total = answer.total ?? total;
    // A server that ignores the page number would return its first page again and again.
    if (total !== null && batch * size >= total) break;
    const events = answer.events.slice(Math.max(0, first - batch * size), Math.min(size, end - batch * size));
    const before = found.size;
    for (const raw of events) {
      const event = parseGammaEvent(raw);
      if (event === null || found.has(event.eventId)) continue;
      found.set(event.eventId, event);
      if (!isWanted(raw)) unwanted.add(event.eventId);
    }
    const advanced = found.size > before || events.length === 0;
    if (!answer.more || !advanced) break;
  }
  const events = [...found.values()].filter(
    event =>
      !unwanted.has(event.eventId) &&
      event.markets.length > 0 &&
      (query.status === 'all' || event.status === query.status),
  );
  return { events, total };
}

const maxBatch = 20;

/** Gamma's filter values. Gamma ignores unknown values. */
const statusFilters = { open: 'active', closed: 'resolved', all: null } as const;

interface SearchBatch {
  readonly events: readonly unknown[];
  readonly more: boolean;
  readonly total: number | null;
}

async function readBatch(
  client: VenueClient,
  query: EventQuery,
  batch: { readonly page: number; readonly size: number },
): Promise<SearchBatch> {
  const status = statusFilters[query.status];
  const answer = await client.get('/public-search', {
    q: query.search,
    ...(status === null ? {} : { events_status: status }),
    limit_per_type: String(batch.size),
    page: String(batch.page),
    keep_closed_markets: '1',
    search_tags: 'false',
    search_profiles: 'false',
  });
  // Gamma responds with 422 to a text that it cannot search for: there are no results.
  if (!answer.found && answer.status === 422) return { events: [], more: false, total: 0 };
  const read = gammaSearchSchema.safeParse(answer.found ? answer.body : null);
  if (!read.success) throw new MarketUnreadable('Polymarket answered with a search that cannot be read.');
  const events = read.data.events ?? [];
  const { hasMore = null, totalResults = null } = read.data.pagination ?? {};
  return { events, more: events.length > 0 && (hasMore ?? events.length >= batch.size), total: totalResults };
}
