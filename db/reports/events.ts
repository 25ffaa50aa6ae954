import { sql } from 'kysely';
import type { MarketEvent, TradingStatus } from '../../council/event.js';
import type { Db, Tx } from '../database.js';
import { insertingRules } from './event-rules.js';

/**
 * Events as last read from their market, and the slugs under which they were read. Invariants:
 * - a purchase freezes a copy of the event with the report; no number of a report comes from these tables later;
 * - a slug names one event: the one that was last read under it. An event keeps the slugs that it had, so that a
 *   request that is repeated under an old slug finds what it bought;
 * - the rules of a stored event are in `event_rules`, as `event-rules.ts` says.
 */
export async function saveEvent(db: Db, event: MarketEvent, readAt: Date): Promise<void> {
  const { eventId, slug, source, title } = event;
  const row = { source, title, event: JSON.stringify(event), read_at: readAt };
  const saved = db
    .insertInto('events')
    .values({ event_id: eventId, ...row })
    .onConflict(conflict => conflict.column('event_id').doUpdateSet(row));
  const ruled = db.with('saved', () => saved).with('ruled', () => insertingRules(db, event, readAt));
  if (slug === null || slug === eventId) {
    await ruled.selectNoFrom(sql`1`.as('one')).execute();
    return;
  }
  await ruled
    .insertInto('event_slugs')
    .values({ slug, event_id: eventId })
    .onConflict(conflict =>
      conflict.column('slug').doUpdateSet({ event_id: eventId }).where('event_slugs.event_id', '<>', eventId),
    )
    .execute();
}

/** The id of the stored event with this id or slug; null if none is stored. */
export async function findEventId(db: Db, idOrSlug: string): Promise<string | null> {
  const { eventId } = await db
    .selectNoFrom(eb =>
      eb.fn
        .coalesce(
          eb.selectFrom('events').select('event_id').where('event_id', '=', idOrSlug),
          eb.selectFrom('event_slugs').select('event_id').where('slug', '=', idOrSlug),
        )
        .as('eventId'),
    )
    .executeTakeFirstOrThrow();
  return eventId;
}

/** A stored event, and when it was read. */
export async function readEvent(
  tx: Tx,
  eventId: string,
): Promise<{ readonly event: MarketEvent; readonly readAt: Date }> {
  return tx
    .selectFrom('events')
    .select(['event', 'read_at as readAt'])
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
}

/** The ids of a stored event's markets; none if it is not stored. */
export async function findMarketIds(db: Db, eventId: string): Promise<readonly string[]> {
  const found = await db
    .selectFrom('events')
    .select('event')
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return found?.event.markets.map(({ marketId }) => marketId) ?? [];
}

/** Whether a stored event traded when it was last read; null if it is not stored. */
export async function findLastStatus(db: Db, eventId: string): Promise<TradingStatus | null> {
  const found = await db
    .selectFrom('events')
    .select(sql<TradingStatus>`event ->> 'status'`.as('status'))
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return found?.status ?? null;
}

/** The ids of those stored events that no longer traded when they were last read. */
export async function listClosed(db: Db, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('events')
    .select('event_id as eventId')
    .where('event_id', 'in', eventIds)
    .where(sql<string>`event ->> 'status'`, '=', 'closed')
    .execute();
  return new Set(found.map(({ eventId }) => eventId));
}
