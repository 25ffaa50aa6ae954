import type { MarketEvent } from '../../council/event.js';
import { isEventClosed } from '../../council/market/event-closed.js';
import { findLastStatus, saveEvent } from '../../db/reports/events.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import type { ApiContext } from '../context.js';
import { findEvent, type RequestedEvent } from './find-event.js';

/**
 * How long a purchase waits for the market to say whether the event still trades. Afterwards, the event counts as it was
 * when it was last read.
 */
const marketPatienceMs = 2_000;

type MarketContext = Pick<ApiContext, 'db' | 'markets' | 'now'>;

export interface Trading {
  /** The event has nothing left to forecast. */
  readonly isClosed: boolean;
  /** The event as it trades now, if the market was read for this; otherwise null. */
  readonly live: MarketEvent | null;
}

/** Whether an event still trades, as the market said within the last seconds, or last if it is unavailable. */
export async function readTrading(
  { db, markets, now }: MarketContext,
  { eventId, live }: RequestedEvent,
): Promise<Trading> {
  if (live !== null) return { isClosed: isEventClosed(live), live };
  try {
    const found = findEvent(markets, eventId, 'check');
    const { value, isLive } = await withTimeout(marketPatienceMs, found, tooSlow);
    const isClosed = isEventClosed(value);
    if (isClosed) await saveEvent(db, { ...value, status: 'closed' }, now());
    return { isClosed, live: isLive ? value : null };
  } catch (error) {
    if (!(error instanceof MarketUnavailable)) throw error;
    return { isClosed: (await findLastStatus(db, eventId)) === 'closed', live: null };
  }
}

const tooSlow = () => new MarketUnavailable('The market did not answer in time.');
