import type { MarketEvent } from '../../council/event.js';
import type { Db } from '../database.js';

/**
 * Events as last read from their market, for references and titles. Invariant: no number of a report comes
 * from this table; a run freezes its own copy of the event when it starts.
 */
export async function saveEvent(db: Db, event: MarketEvent, readAt: Date): Promise<void> {
  const row = {
    source: event.source,
    title: event.title,
    event: JSON.stringify(event),
    read_at: readAt,
  };
  await db
    .insertInto('events')
    .values({ event_id: event.eventId, ...row })
    .onConflict(conflict => conflict.column('event_id').doUpdateSet(row))
    .execute();
}
