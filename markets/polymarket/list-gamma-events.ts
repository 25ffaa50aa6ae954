import type { MarketEvent } from '../../council/event.js';
import type { EventCategory, EventQuery } from '../../council/market/event-choice.js';
import { venueCategories } from '../categories.js';
import { byVolume, type FoundEvents, MarketUnreadable } from '../event-source.js';
import type { VenueClient } from '../http/venue-client.js';
import { gammaKeysetSchema } from './gamma-schema.js';
import { parseGammaEvent } from './parse-gamma-event.js';

/**
 * Returns one page of the most traded events, or of those that close next, of one category or of all. Gamma's list
 * has cursors but no page numbers, so it is read from the start, in batches small enough for events with a hundred
 * markets. The list ends after 200 events; other events can be found with a text search. Each tag of a category, and
 * each trading status, is a list of its own, and the lists are merged. A page takes at most 12 requests, and one more
 * for each list if the server has no cursors.
 *
 * @param now open events of earlier end dates are not about to close: they await their result
 * @throws MarketUnavailable
 */
export async function listGammaEvents(
  client: VenueClient,
  query: EventQuery,
  now: Date,
): Promise<FoundEvents> {
  const first = query.skip;
  const end = Math.min(first + query.limit, listedMax);
  if (first >= end) return { events: [], total: null };
  const order = query.sort === 'closing' ? closingNext(query.status, now) : mostTraded;
  const lists = listedStatuses[query.status].flatMap(status =>
    tagsOf(query.category).map(tag => openList(client, { status, tag, order })),
  );
  await Promise.all(lists.map(list => list.readMore()));
  for (let batches = lists.length; batches < maxBatches && settled(lists, order) < end; batches += 1) {
    const next = lists.filter(list => !list.ended).sort((a, b) => b.lowestRank() - a.lowestRank())[0];
    if (next === undefined) break;
    await next.readMore();
  }
  const events = distinct(lists.flatMap(list => list.events));
  const sorted = events.sort((a, b) => Math.sign(order.rank(b) - order.rank(a)) || byVolume(a, b));
  return { events: sorted.slice(first, end), total: null };
}

const batchSize = 20;
const listedMax = 200;
/** The batches of all lists together: two more than the events need, because some events of a batch are left out. */
const maxBatches = 12;

/** An order of Gamma's, and the same order for lists that are merged. */
interface ListOrder {
  readonly parameters: Readonly<Record<string, string>>;
  /** Events of a higher rank come first. */
  readonly rank: (event: MarketEvent) => number;
}

const mostTraded: ListOrder = {
  parameters: { order: 'volume', ascending: 'false' },
  rank: event => event.volume,
};

function closingNext(status: EventQuery['status'], now: Date): ListOrder {
  const from = status === 'closed' ? {} : { end_date_min: now.toISOString() };
  return {
    parameters: { order: 'endDate', ascending: 'true', ...from },
    rank: ({ closesAt }) => (closesAt === null ? -Number.MAX_VALUE : -Date.parse(closesAt)),
  };
}

function tagsOf(category: EventCategory | null): readonly (string | null)[] {
  return category === null ? [null] : venueCategories[category].polymarket;
}

/** How many of the events read come before every event that is not read yet. */
function settled(lists: readonly EventList[], { rank }: ListOrder): number {
  const certain = lists.flatMap(list => {
    const others = lists.filter(other => other !== list && !other.ended);
    return list.events.filter(event => others.every(other => rank(event) >= other.lowestRank()));
  });
  return distinct(certain).length;
}

/** An event with two tags is in two lists. */
function distinct(events: readonly MarketEvent[]): MarketEvent[] {
  return [...new Map(events.map(event => [event.eventId, event])).values()];
}

/** Gamma lists either open or closed events. Without the filter, it returns an arbitrary selection. */
const listedStatuses = { open: ['open'], closed: ['closed'], all: ['open', 'closed'] } as const;

type ListedStatus = (typeof listedStatuses)['all'][number];

interface ListOptions {
  readonly status: ListedStatus;
  /** The slug of a tag; null for all events. */
  readonly tag: string | null;
  readonly order: ListOrder;
}

/** A list that is read from its start, as far as it is needed. */
interface EventList {
  readonly events: MarketEvent[];
  ended: boolean;
  /** The lowest rank of the events read. */
  lowestRank(): number;
  readMore(): Promise<void>;
}

/**
 * Uses the list with cursors, or the older list with offsets if the server does not support cursors. Ends at a
 * batch without new events, because some cursors repeat.
 */
function openList(client: VenueClient, options: ListOptions): EventList {
  const seen = new Set<string>();
  let readBatch = keysetBatch;
  let cursor: string | null = null;
  const list: EventList = {
    events: [],
    ended: false,
    lowestRank: () => {
      const last = list.events.at(-1);
      return last === undefined ? Number.POSITIVE_INFINITY : options.order.rank(last);
    },
    readMore: async () => {
      let batch = await readBatch(client, options, cursor);
      if (batch === null && cursor === null) {
        readBatch = offsetBatch;
        batch = await readBatch(client, options, cursor);
      }
      if (batch === null) throw unreadable();
      const fresh = newEvents(batch, seen);
      list.events.push(...fresh.filter(event => event.markets.length > 0 && event.status === options.status));
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
  options: ListOptions,
  cursor: string | null,
): Promise<Batch | null> {
  const answer = await client.get('/events/keyset', {
    ...listQuery(options),
    ...(cursor === null ? {} : { after_cursor: cursor }),
  });
  const read = gammaKeysetSchema.safeParse(answer.found ? answer.body : null);
  return read.success ? { events: read.data.events, next: read.data.next_cursor } : null;
}

async function offsetBatch(
  client: VenueClient,
  options: ListOptions,
  cursor: string | null,
): Promise<Batch | null> {
  const offset = Number(cursor ?? 0);
  const answer = await client.get('/events', { ...listQuery(options), offset: String(offset) });
  if (!answer.found || !Array.isArray(answer.body)) return null;
  const events: readonly unknown[] = answer.body;
  return { events, next: events.length < batchSize ? null : String(offset + events.length) };
}

function unreadable(): MarketUnreadable {
  return new MarketUnreadable('Polymarket answered with a list that cannot be read.');
}

function listQuery({ status, tag, order }: ListOptions) {
  return {
    ...order.parameters,
    ...(tag === null ? {} : { tag_slug: tag }),
    closed: String(status === 'closed'),
    limit: String(batchSize),
  };
}
