import type { MarketOutcomes } from '../council/record.js';
import type { Db, Tx } from './database.js';

/**
 * How events ended, as their market said it. Invariants:
 * - a row is never changed or removed; what the market says later is a row of its own, and the newest counts;
 * - two rows of an event that follow one another differ in their outcomes: observing the same again adds nothing, also
 *   when several observe it at once (the event's row is locked);
 * - the first row of an event is the first that says more than "unresolved".
 */
export interface ObservedResolution {
  readonly id: number;
  readonly observedAt: Date;
  readonly outcomes: MarketOutcomes;
}

/** @returns whether it says something new. */
export async function noteResolution(
  db: Db,
  {
    eventId,
    outcomes,
    evidence,
    now,
  }: { eventId: string; outcomes: MarketOutcomes; evidence: object; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async tx => {
    await tx
      .selectFrom('events')
      .select('event_id')
      .where('event_id', '=', eventId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const newest = await newestResolution(tx, eventId);
    if (newest === null ? nothingResolved(outcomes) : sameOutcomes(newest.outcomes, outcomes)) return false;
    await tx
      .insertInto('resolutions')
      .values({
        event_id: eventId,
        outcomes: JSON.stringify(outcomes),
        evidence: JSON.stringify(evidence),
        observed_at: now,
      })
      .execute();
    return true;
  });
}

/** Null while nothing of the event is resolved. */
export async function newestResolution(db: Db | Tx, eventId: string): Promise<ObservedResolution | null> {
  const row = await db
    .selectFrom('resolutions')
    .select(['id', 'observed_at as observedAt', 'outcomes'])
    .where('event_id', '=', eventId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

function nothingResolved(outcomes: MarketOutcomes): boolean {
  return Object.values(outcomes).every(resolution => resolution === 'unresolved');
}

/** Whatever the order of their markets. */
function sameOutcomes(some: MarketOutcomes, others: MarketOutcomes): boolean {
  const markets = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...markets].every(market => some[market] === others[market]);
}
