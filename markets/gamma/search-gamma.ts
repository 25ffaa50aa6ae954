import type { MarketEvent } from '../../council/event.js';
import { type EventPage, type EventQuery, MarketUnavailable } from '../event-source.js';
import type { GammaClient } from './gamma-client.js';
import { gammaSearchSchema } from './gamma-schema.js';
import { parseGammaEvent } from './parse-gamma-event.js';

/**
 * One page of Gamma's text search, in Gamma's own ranking. Read in blocks of at most 20 events, which is what
 * Gamma gives at a time and keeps answers small; a block that brings nothing new ends the page.
 * @throws MarketUnavailable
 */
export async function searchGamma(client: GammaClient, query: EventQuery): Promise<EventPage> {
  const size = Math.min(query.perPage, maxBlock);
  const first = (query.page - 1) * query.perPage;
  const end = first + query.perPage;
  const found = new Map<string, MarketEvent>();
  let total: number | null = null;
  for (let block = Math.floor(first / size); block * size < end; block += 1) {
    const answer = await readBlock(client, query, { page: block + 1, size });
    total = answer.total ?? total;
    // A market that ignores the page number would give its first page again and again.
    if (total !== null && block * size >= total) break;
    const events = answer.events.slice(Math.max(0, first - block * size), Math.min(size, end - block * size));
    const before = found.size;
    for (const event of events.map(raw => parseGammaEvent(raw))) {
      if (event !== null && !found.has(event.eventId)) found.set(event.eventId, event);
    }
    const advanced = found.size > before || events.length === 0;
    if (!answer.more || !advanced) break;
  }
  const events = [...found.values()].filter(
    event => event.markets.length > 0 && (query.status === 'all' || event.status === query.status),
  );
  return { events, total };
}

const maxBlock = 20;

/** Gamma's own words; any other value is taken for no filter. */
const statusWords = { open: 'active', closed: 'resolved', all: null } as const;

interface SearchBlock {
  readonly events: readonly unknown[];
  readonly more: boolean;
  readonly total: number | null;
}

async function readBlock(
  client: GammaClient,
  query: EventQuery,
  block: { readonly page: number; readonly size: number },
): Promise<SearchBlock> {
  const status = statusWords[query.status];
  const answer = await client.get('/public-search', {
    q: query.search,
    ...(status === null ? {} : { events_status: status }),
    limit_per_type: String(block.size),
    page: String(block.page),
    keep_closed_markets: '1',
    search_tags: 'false',
    search_profiles: 'false',
  });
  // Gamma calls words it cannot search for unprocessable: nothing is found by them.
  if (!answer.found && answer.status === 422) return { events: [], more: false, total: 0 };
  const read = gammaSearchSchema.safeParse(answer.found ? answer.body : null);
  if (!read.success) throw new MarketUnavailable('Polymarket answered with a search that cannot be read.');
  const events = read.data.events ?? [];
  const { hasMore = null, totalResults = null } = read.data.pagination ?? {};
  return { events, more: events.length > 0 && (hasMore ?? events.length >= block.size), total: totalResults };
}
