import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.js';

/**
 * The chain as everybody may read it. Invariants:
 * - a forecast is shown only if its event has closed: a buyer paid for it, and could still trade on it;
 * - the commitment is computed from what is stored now, never stored itself, so that a stored forecast which was
 *   changed no longer fits its hash, also while it is hidden.
 *
 * An event has closed for a report if the report has a grade, with which its forecast is exported, or if the market,
 * when it was last read, traded no longer and its closing time has passed. Grades are never removed; a market may open
 * again.
 */
export interface PublicEntry {
  readonly seq: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
  readonly simulated: boolean;
  readonly commitment: Buffer;
  /** Null while the event is open. */
  readonly payload: string | null;
  /** Null while the event is open. */
  readonly salt: Buffer | null;
  /** Whether this answer can never change. */
  readonly isFinal: boolean;
}

export interface ChainPage {
  /** Only entries with a higher number. */
  readonly after: number;
  readonly limit: number;
}

/** A page of the chain, in its order. */
export async function readPublicChain(
  db: Db,
  { after, limit, now }: ChainPage & { readonly now: Date },
): Promise<PublicEntry[]> {
  return db
    .with('page', qb =>
      qb
        .selectFrom('record_entries as entry')
        .innerJoin('reports as report', 'report.id', 'entry.report_id')
        .selectAll('entry')
        .select(['report.simulated', 'report.event_id'])
        .where('entry.seq', '>', after)
        .orderBy('entry.seq')
        .limit(limit),
    )
    .with(
      // Materialized, so that each subquery runs once an entry, although its result is used more often.
      cte => cte('shown').materialized(),
      qb =>
        qb
          .selectFrom('page')
          .selectAll()
          .select([isGraded.as('graded'), hasClosed(now).as('closed')]),
    )
    .selectFrom('shown')
    .select([
      'seq',
      'version',
      'created_at as createdAt',
      'previous_hash as previousHash',
      'hash',
      'simulated',
    ])
    .select([
      sql<Buffer>`sha256(salt || convert_to(payload, 'UTF8'))`.as('commitment'),
      sql<string | null>`case when graded or closed then payload end`.as('payload'),
      sql<Buffer | null>`case when graded or closed then salt end`.as('salt'),
      'graded as isFinal',
    ])
    .orderBy('seq')
    .execute();
}

// Scalar subqueries, which PostgreSQL evaluates per entry of the page: it would read all grades for an `exists`.
const isGraded = sql<boolean>`coalesce(
  (select true from grades where grades.report_id = page.report_id limit 1), false
)`;

function hasClosed(now: Date): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select events.event ->> 'status' = 'closed' and (events.event ->> 'closesAt')::timestamptz <= ${now}
    from events where events.event_id = page.event_id
  ), false)`;
}
