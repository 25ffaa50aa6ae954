import type { MarketEvent } from '../../council/event.js';
import { byVolume, type EventPage, type EventQuery, MarketUnavailable } from '../event-source.js';
import type { GammaClient } from './gamma-client.js';
import { gammaKeysetSchema } from './gamma-schema.js';
import { parseGammaEvent } from './parse-gamma-event.js';

/**
 * One page of the most traded events, by volume. The list can only be walked from its start (Gamma's present
 * listing has cursors and no page numbers), in blocks small enough for events of a hundred markets, and ends
 * after 500 events: who looks for a rarer one searches for it.
 * @throws MarketUnavailable
 */
export async function listMostTraded(client: GammaClient, query: EventQuery): Promise<EventPage> {
  const first = (query.page - 1) * query.perPage;
  const end = Math.min(first + query.perPage, maxBlocks * blockSize);
  if (first >= end) return { events: [], total: null };
  const lists = await Promise.all(wanted[query.status].map(status => walkEither(client, status, end)));
  return { events: lists.flat().sort(byVolume).slice(first, end), total: null };
}

const blockSize = 20;
const maxBlocks = 25;

/** Gamma lists either open or closed events; asked for neither, it chooses. */
const wanted = { open: ['open'], closed: ['closed'], all: ['open', 'closed'] } as const;

type ListedStatus = (typeof wanted)['all'][number];

/** The listing by cursor; where an address does not offer it, the older one by offset. */
async function walkEither(client: GammaClient, status: ListedStatus, needed: number): Promise<MarketEvent[]> {
  const listed =
    (await walk(cursor => keysetBlock(client, status, cursor), status, needed)) ??
    (await walk(cursor => offsetBlock(client, status, cursor), status, needed));
  if (listed === null) throw unreadable();
  return listed;
}

interface Block {
  readonly events: readonly unknown[];
  /** Where the next block starts; null at the end of the list. */
  readonly next: string | null;
}

/** Null when there is no such list. A block without anything new ends the walk: some cursors lead nowhere. */
async function walk(
  readBlock: (cursor: string | null) => Promise<Block | null>,
  status: ListedStatus,
  needed: number,
): Promise<MarketEvent[] | null> {
  const seen = new Set<string>();
  const listed: MarketEvent[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < maxBlocks && listed.length < needed; count += 1) {
    const block: Block | null = await readBlock(cursor);
    if (block === null && count === 0) return null;
    if (block === null) throw unreadable();
    const before = seen.size;
    for (const event of block.events.map(raw => parseGammaEvent(raw))) {
      if (event === null || seen.has(event.eventId)) continue;
      seen.add(event.eventId);
      if (event.markets.length > 0 && event.status === status) listed.push(event);
    }
    if (seen.size === before || block.next === null || block.next === cursor) break;
    cursor = block.next;
  }
  return listed;
}

async function keysetBlock(client: GammaClient, status: ListedStatus, cursor: string | null) {
  const answer = await client.get('/events/keyset', {
    ...listQuery(status),
    ...(cursor === null ? {} : { after_cursor: cursor }),
  });
  const read = gammaKeysetSchema.safeParse(answer.found ? answer.body : null);
  return read.success ? { events: read.data.events, next: read.data.next_cursor } : null;
}

async function offsetBlock(client: GammaClient, status: ListedStatus, cursor: string | null) {
  const offset = Number(cursor ?? 0);
  const answer = await client.get('/events', { ...listQuery(status), offset: String(offset) });
  if (!answer.found || !Array.isArray(answer.body)) return null;
  const events: readonly unknown[] = answer.body;
  return { events, next: events.length < blockSize ? null : String(offset + events.length) };
}

function unreadable(): MarketUnavailable {
  return new MarketUnavailable('Polymarket answered with a list that cannot be read.');
}

function listQuery(status: ListedStatus) {
  return {
    order: 'volume',
    ascending: 'false',
    closed: String(status === 'closed'),
    limit: String(blockSize),
  };
}
