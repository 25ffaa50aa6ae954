import { eventIdParameter } from '../../contract/events.js';
import type { MarketEvent } from '../../council/event.js';
import { findEventId } from '../../db/reports/events.js';
import type { FindPurpose, MarketReader, Reading } from '../../markets/market-reader.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** The event that a request names. Below the routes, an event has one name: its id. */
export interface RequestedEvent {
  readonly eventId: string;
  /** The event as it trades now, if the market was read to learn its id; otherwise null. */
  readonly live: MarketEvent | null;
}

/**
 * Finds the id of an event that a request names by id or by slug. Asks the market only about events that are not
 * stored: what an account owns, or can buy as cached, is found while the market is unavailable.
 * @param purpose as a `purchase`, it waits for no price check of another account
 * @throws Problem `event_not_found`; MarketUnavailable when the market does not respond.
 */
export async function resolveEvent(
  { db, markets }: Pick<ApiContext, 'db' | 'markets'>,
  idOrSlug: string,
  purpose: 'check' | 'purchase',
): Promise<RequestedEvent> {
  assertEventName(idOrSlug);
  const known = await findEventId(db, idOrSlug);
  if (known !== null) return { eventId: known, live: null };
  const { value: event, isLive } = await findEvent(markets, idOrSlug, purpose);
  return { eventId: event.eventId, live: isLive ? event : null };
}

/**
 * An event as the market described it within the last seconds.
 * @throws Problem `event_not_found`; MarketUnavailable when the market does not respond.
 */
export async function findEvent(
  markets: MarketReader,
  idOrSlug: string,
  purpose: FindPurpose,
): Promise<Reading<MarketEvent>> {
  assertEventName(idOrSlug);
  const { value, ...reading } = await markets.find(idOrSlug, purpose);
  if (value === null) throw eventNotFound();
  return { ...reading, value };
}

/**
 * An event as it trades now, for a purchase.
 * @throws Problem `event_not_found`; MarketUnavailable when the market does not respond.
 */
export async function readEvent(markets: MarketReader, eventId: string): Promise<MarketEvent> {
  const event = await markets.read(eventId);
  if (event === null) throw eventNotFound();
  return event;
}

/** Checks the shape of an id or slug, before any lookup. @throws Problem `event_not_found`. */
function assertEventName(idOrSlug: string): void {
  if (!eventIdParameter.safeParse(idOrSlug).success) throw eventNotFound();
}

function eventNotFound(): Problem {
  return new Problem('event_not_found', 'There is no event with this id or slug.');
}
