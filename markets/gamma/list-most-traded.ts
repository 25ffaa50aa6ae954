import type { MarketEvent } from '../../council/event.js';
import { byVolume, type EventPage, type EventQuery, MarketUnavailable } from '../event-source.js';
import type { GammaClient } from './gamma-client.js';
import { gammaKeysetSchema } from './gamma-schema.js';
import { parseGammaEvent } from './parse-gamma-event.js';

/**
 * Returns one page of the most traded events, sorted by volume. Gamma's list has cursors but no page numbers,
 * so it is read from the start, in batches small enough for events with a hundred markets. The list ends
 * after 500 events; other events can be found with a text search.
 *
 * @throws MarketUnavailable
 */
export async function listMostTraded(client: GammaClient, query: EventQuery): Promise<EventPage> {
  const first = (query.page - 1) * query.perPage;
  const end = Math.min(first + query.perPage, maxBatches * batchSize);
  if (first >= end) return { events: [], total: null };
  const lists = await Promise.all(
    listedStatuses[query.status].map(status => listEvents(client, status, end)),
  );
  return { events: lists.flat().sort(byVolume).slice(first, end), total: null };
}

const batchSize = 20;
const maxBatches = 25;

/** Gamma lists either open or closed events. Without the filter, it returns an arbitrary selection. */
const listedStatuses = { open: ['open'], closed: ['closed'], all: ['open', 'closed'] } as const;

type ListedStatus = (typeof listedStatuses)['all'][number];

/** Uses the list with cursors, or the older list with offsets if the server does not support cursors. */
async function listEvents(client: GammaClient, status: ListedStatus, needed: number): Promise<MarketEvent[]> {
  const listed =
    (await collectEvents(cursor => keysetBatch(client, status, cursor), status, needed)) ??
    (await collectEvents(cursor => offsetBatch(client, status, cursor), status, needed));
  if (listed === null) throw unreadable();
  return listed;
}

interface Batch {
  readonly events: readonly unknown[];
  /** The cursor of the next batch; null at the end of the list. */
  readonly next: string | null;
}

/**
 * Returns null if there is no such list. Stops at a batch without new events, because some cursors repeat.
 */
async function collectEvents(
  readBatch: (cursor: string | null) => Promise<Batch | null>,
  status: ListedStatus,
  needed: number,
): Promise<MarketEvent[] | null> {
  const seen = new Set<string>();
  const listed: MarketEvent[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < maxBatches && listed.length < needed; count += 1) {
    const batch: Batch | null = await readBatch(cursor);
    if (batch === null && count === 0) return null;
    if (batch === null) throw unreadable();
    const before = seen.size;
    for (const event of batch.events.map(raw => parseGammaEvent(raw))) {
      if (event === null || seen.has(event.eventId)) continue;
      seen.add(event.eventId);
      if (event.markets.length > 0 && event.status === status) listed.push(event);
    }
    if (seen.size === before || batch.next === null || batch.next === cursor) break;
    cursor = batch.next;
  }
  return listed;
}

async function keysetBatch(client: GammaClient, status: ListedStatus, cursor: string | null) {
  const answer = await client.get('/events/keyset', {
    ...listQuery(status),
    ...(cursor === null ? {} : { after_cursor: cursor }),
  });
  const read = gammaKeysetSchema.safeParse(answer.found ? answer.body : null);
  return read.success ? { events: read.data.events, next: read.data.next_cursor } : null;
}

async function offsetBatch(client: GammaClient, status: ListedStatus, cursor: string | null) {
  const offset = Number(cursor ?? 0);
  const answer = await client.get('/events', { ...listQuery(status), offset: String(offset) });
  if (!answer.found || !Array.isArray(answer.body)) return null;
  const events: readonly unknown[] = answer.body;
  return { events, next: events.length < batchSize ? null : String(offset + events.length) };
}

function unreadable(): MarketUnavailable {
  return new MarketUnavailable('Polymarket answered with a list that cannot be read.');
}

function listQuery(status: ListedStatus) {
  return {
    order: 'volume',
    ascending: 'false',
    closed: String(status === 'closed'),
    limit: String(batchSize),
  };
}
