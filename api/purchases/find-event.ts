import { eventIdParameter } from '../../contract/events.js';
import type { MarketEvent } from '../../council/event.js';
import { findEventId } from '../../db/reports/events.js';
import type { EventSource } from '../../markets/event-source.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** The event that a request names. Below the routes, an event has one name: its id. */
export interface RequestedEvent {
  readonly eventId: string;
  /** The event, if the market had to be read to learn its id; null if the database knew it. */
  readonly live: MarketEvent | null;
}

/**
 * Finds the id of an event that a request names by id or by slug. Asks the market only about events that are not
 * stored: what an account owns, or can buy as cached, is found while the market is unavailable.
 * @throws Problem `event_not_found`; MarketUnavailable when the market does not respond.
 */
export async function resolveEvent(
  { db, markets }: Pick<ApiContext, 'db' | 'markets'>,
  idOrSlug: string,
): Promise<RequestedEvent> {
  assertEventName(idOrSlug);
  const known = await findEventId(db, idOrSlug);
  if (known !== null) return { eventId: known, live: null };
  const live = await findEvent(markets, idOrSlug);
  return { eventId: live.eventId, live };
}

/** @throws Problem `event_not_found`; MarketUnavailable when the market does not respond. */
export async function findEvent(markets: EventSource, idOrSlug: string): Promise<MarketEvent> {
  assertEventName(idOrSlug);
  const event = await markets.get(idOrSlug);
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
