import type { MarketEvent } from '../../council/event.js';
import type { Db } from '../database.js';

/**
 * Events as last read from their market. Invariant: a report never depends on this table for its numbers; it
 * freezes its own copy when the run begins. This one is what the rest of the service refers to.
 */
export async function rememberEvent(db: Db, event: MarketEvent, readAt: Date): Promise<void> {
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
