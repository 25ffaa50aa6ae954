import { sql } from 'kysely';
import type { MarketEvent } from '../../council/event.js';
import { canonicalRules, type Rules, rulesOf } from '../../council/market/rules.js';
import type { Db } from '../database.js';
import { textSha256 } from '../digests.js';

/**
 * The rules of events, as they were read. Invariants:
 * - rows are only added, and their text has the hash beside it;
 * - a row is added with the event whenever its rules are not those that were in force when it was read, so that rules
 *   that are taken back are seen as well;
 * - the rules that a report was sold by are frozen with its event, not here: every reading later than that is compared
 *   with them.
 */
export function insertingRules(db: Db, event: MarketEvent, readAt: Date) {
  const rules = canonicalRules(rulesOf(event));
  const { eventId } = event;
  const sha256 = textSha256(rules);
  return db
    .insertInto('event_rules')
    .columns(['event_id', 'rules_sha256', 'rules', 'first_seen_at'])
    .expression(eb =>
      db
        .selectNoFrom([
          sql<string>`${eventId}::text`.as('event_id'),
          sql<string>`${sha256}::text`.as('rules_sha256'),
          sql<string>`${rules}::json`.as('rules'),
          sql<Date>`${readAt}::timestamptz`.as('first_seen_at'),
        ])
        .where(
          eb
            .selectFrom('event_rules as before')
            .select('before.rules_sha256')
            .where('before.event_id', '=', eventId)
            .where('before.first_seen_at', '<=', readAt)
            .orderBy('before.first_seen_at', 'desc')
            .limit(1),
          'is distinct from',
          sha256,
        ),
    )
    .onConflict(conflict => conflict.doNothing());
}

/** Adds what is new of the rules of a stored event, and leaves the event as it was read for a purchase. */
export async function saveRules(db: Db, event: MarketEvent, readAt: Date): Promise<void> {
  await insertingRules(db, event, readAt).execute();
}

/** Rules that were read after a report was sold. */
export interface LaterRules {
  readonly seenAt: Date;
  readonly rules: Rules;
}

/** Every reading with new rules since the report was sold, the first one first. Most reports have none. */
export async function readLaterRules(db: Db, reportId: number): Promise<readonly LaterRules[]> {
  return db
    .selectFrom('reports as report')
    .innerJoin('event_rules as later', join =>
      join
        .onRef('later.event_id', '=', 'report.event_id')
        .onRef('later.first_seen_at', '>', 'report.prices_at'),
    )
    .select(['later.first_seen_at as seenAt', 'later.rules'])
    .where('report.id', '=', reportId)
    .orderBy('later.first_seen_at')
    .execute();
}
