import { eventIdParameter } from '../../contract/events.js';
import type { MarketEvent } from '../../council/event.js';
import { isEventClosed, isProvisional } from '../../council/market/event-closed.js';
import { findEventId, findLastStatus, saveEvent } from '../../db/reports/events.js';
import { parseEventName } from '../../markets/event-name.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import type { MarketReader } from '../../markets/market-reader.js';
import type { FindPurpose, Reading } from '../../markets/venue-reader.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
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
  const { name } = parseEventName(idOrSlug, markets.venues) ?? { name: idOrSlug };
  const known = await findEventId(db, name);
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
export async function readLiveEvent(markets: MarketReader, eventId: string): Promise<MarketEvent> {
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

/**
 * How long a purchase waits for the market to say whether the event still trades. Afterwards, the event counts as it was
 * when it was last read.
 */
const marketPatienceMs = 2_000;

type MarketContext = Pick<ApiContext, 'db' | 'markets' | 'now'>;

export interface Trading {
  /** The event has nothing left to forecast. */
  readonly isClosed: boolean;
  /** The reason is that its markets are provisional. */
  readonly isProvisional: boolean;
  /** The event as it trades now, if the market was read for this; otherwise null. */
  readonly live: MarketEvent | null;
}

/** Whether an event still trades, as the market said within the last seconds, or last if it is unavailable. */
export async function readTrading(
  { db, markets, now }: MarketContext,
  { eventId, live }: RequestedEvent,
): Promise<Trading> {
  if (live !== null) return { ...tradingOf(live), live };
  try {
    const found = findEvent(markets, eventId, 'check');
    const { value, isLive } = await withTimeout(marketPatienceMs, found, tooSlow);
    const trading = tradingOf(value);
    // A provisional event trades later, or is removed: it is not stored as closed.
    if (trading.isClosed && !trading.isProvisional)
      await saveEvent(db, { ...value, status: 'closed' }, now());
    return { ...trading, live: isLive ? value : null };
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    const isClosed = (await findLastStatus(db, eventId)) === 'closed';
    return { isClosed, isProvisional: false, live: null };
  }
}

/** Whether the event has nothing left to forecast, and whether that is because its markets are provisional. */
export function tradingOf(event: MarketEvent): Omit<Trading, 'live'> {
  return { isClosed: isEventClosed(event), isProvisional: isProvisional(event) };
}

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');
