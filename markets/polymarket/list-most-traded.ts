import type { MarketEvent } from '../../council/event.js';
import { byVolume, type EventQuery, type FoundEvents, MarketUnreadable } from '../event-source.js';
import type { VenueClient } from '../http/venue-client.js';
import { gammaKeysetSchema } from './gamma-schema.js';
import { parseGammaEvent } from './parse-gamma-event.js';

/**
 * Returns one page of the most traded events, sorted by volume. Gamma's list has cursors but no page numbers,
 * so it is read from the start, in batches small enough for events with a hundred markets. The list ends
 * after 200 events; other events can be found with a text search. A page takes at most 12 requests, and one
 * more for each list if the server has no cursors.
 *
 * @throws MarketUnavailable
 */
export async function listMostTraded(client: VenueClient, query: EventQuery): Promise<FoundEvents> {
  const first = query.skip;
  const end = Math.min(first + query.limit, listedMax);
  if (first >= end) return { events: [], total: null };
  const lists = listedStatuses[query.status].map(status => openList(client, status));
  await Promise.all(lists.map(list => list.readMore()));
  for (let batches = lists.length; batches < maxBatches && settled(lists) < end; batches += 1) {
    const next = lists.filter(list => !list.ended).sort((a, b) => b.lowestVolume() - a.lowestVolume())[0];
    if (next === undefined) break;
    await next.readMore();
  }
  const events = lists.flatMap(list => list.events);
  return { events: events.sort(byVolume).slice(first, end), total: null };
}

const batchSize = 20;
const listedMax = 200;
/** The batches of all lists together: two more than the events need, because some events of a batch are left out. */
const maxBatches = 12;

/** How many of the events read come before every event that is not read yet. */
function settled(lists: readonly EventList[]): number {
  return lists.flatMap(list => {
    const others = lists.filter(other => other !== list && !other.ended);
    return list.events.filter(event => others.every(other => event.volume >= other.lowestVolume()));
  }).length;
}

/** Gamma lists either open or closed events. Without the filter, it returns an arbitrary selection. */
const listedStatuses = { open: ['open'], closed: ['closed'], all: ['open', 'closed'] } as const;

type ListedStatus = (typeof listedStatuses)['all'][number];

/** A list that is read from its start, as far as it is needed. */
interface EventList {
  readonly events: MarketEvent[];
  ended: boolean;
  /** The lowest volume of the events read. */
  lowestVolume(): number;
  readMore(): Promise<void>;
}

/**
 * Uses the list with cursors, or the older list with offsets if the server does not support cursors. Ends at a
 * batch without new events, because some cursors repeat.
 */
function openList(client: VenueClient, status: ListedStatus): EventList {
  const seen = new Set<string>();
  let readBatch = keysetBatch;
  let cursor: string | null = null;
  const list: EventList = {
    events: [],
    ended: false,
    lowestVolume: () => list.events.at(-1)?.volume ?? Number.POSITIVE_INFINITY,
    readMore: async () => {
      let batch = await readBatch(client, status, cursor);
      if (batch === null && cursor === null) {
        readBatch = offsetBatch;
        batch = await readBatch(client, status, cursor);
      }
      if (batch === null) throw unreadable();
      const fresh = newEvents(batch, seen);
      list.events.push(...fresh.filter(event => event.markets.length > 0 && event.status === status));
      list.ended = fresh.length === 0 || batch.next === null || batch.next === cursor;
      cursor = batch.next;
    },
  };
  return list;
}

interface Batch {
  readonly events: readonly unknown[];
  /** The cursor of the next batch; null at the end of the list. */
  readonly next: string | null;
}

/** The events of a batch that were in no earlier one. */
function newEvents(batch: Batch, seen: Set<string>): MarketEvent[] {
  return batch.events.flatMap(raw => {
    const event = parseGammaEvent(raw);
    if (event === null || seen.has(event.eventId)) return [];
    seen.add(event.eventId);
    return [event];
  });
}

async function keysetBatch(
  client: VenueClient,
  status: ListedStatus,
  cursor: string | null,
): Promise<Batch | null> {
  const answer = await client.get('/events/keyset', {
    ...listQuery(status),
    ...(cursor === null ? {} : { after_cursor: cursor }),
  });
  const read = gammaKeysetSchema.safeParse(answer.found ? answer.body : null);
  return read.success ? { events: read.data.events, next: read.data.next_cursor } : null;
}

async function offsetBatch(
  client: VenueClient,
  status: ListedStatus,
  cursor: string | null,
): Promise<Batch | null> {
  const offset = Number(cursor ?? 0);
  const answer = await client.get('/events', { ...listQuery(status), offset: String(offset) });
  if (!answer.found || !Array.isArray(answer.body)) return null;
  const events: readonly unknown[] = answer.body;
  return { events, next: events.length < batchSize ? null : String(offset + events.length) };
}

function unreadable(): MarketUnreadable {
  return new MarketUnreadable('Polymarket answered with a list that cannot be read.');
}

function listQuery(status: ListedStatus) {
  return {
    order: 'volume',
    ascending: 'false',
    closed: String(status === 'closed'),
    limit: String(batchSize),
  };
}
