import { isEventClosed } from '../../council/market/event-closed.js';
import { findLastStatus, saveEvent } from '../../db/reports/events.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import type { Refusal } from '../../purchase/refusal.js';
import type { ApiContext } from '../context.js';
import { findEvent, type RequestedEvent } from './find-event.js';

/**
 * How long the sale of an existing report waits for the market to say whether the event still trades. Afterwards, the
 * event counts as it was when it was last read.
 */
const marketPatienceMs = 2_000;

type MarketContext = Pick<ApiContext, 'db' | 'markets' | 'now'>;

/**
 * The refusal of an existing report, for purchase and price check alike, if its event has nothing left to forecast, as
 * the market said within the last seconds, or last if it is unavailable. Null if the report may be sold.
 */
export async function refuseClosed(
  { db, markets, now }: MarketContext,
  { eventId, live }: RequestedEvent,
): Promise<Refusal | null> {
  try {
    const event =
      live ?? (await withTimeout(marketPatienceMs, findEvent(markets, eventId, 'check'), tooSlow)).value;
    if (!isEventClosed(event)) return null;
    await saveEvent(db, { ...event, status: 'closed' }, now());
    return eventClosed;
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return (await findLastStatus(db, eventId)) === 'closed' ? eventClosed : null;
  }
}

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');

export const eventClosed: Refusal = { refused: 'event_closed', detail: 'The event no longer trades.' };
