import { type RawBuilder, sql } from 'kysely';
import type { EntryKind } from '../../record/recorded-sale.js';
import type { Db } from '../database.js';

/**
 * The chain as everybody may read it. Invariants:
 * - a payload is shown only if the event has closed, or the entry is due: a buyer paid for the forecast, and could still
 *   trade on it;
 * - no entry is hidden after its `opens_by`;
 * - the commitment is computed from what is stored now, never stored itself, so that a stored payload which was changed no
 *   longer fits its hash, also while it is hidden.
 *
 * An event has closed for a report if the report has a grade that leaves no market open, with which its forecast is
 * exported, or if the market, when it was last read, traded no longer and its closing time has passed. Grades are never
 * removed; a market may open again.
 */
export interface PublicEntry {
  readonly seq: number;
  readonly version: number;
  readonly kind: EntryKind;
  /** The number of the entry of the sale; null for that entry itself, and without one. */
  readonly saleSeq: number | null;
  readonly createdAt: Date;
  /** Null in version 1 without an entry of the sale. */
  readonly opensBy: Date | null;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
  readonly simulated: boolean;
  readonly commitment: Buffer;
  /** Null while it is hidden. */
  readonly payload: string | null;
  /** Null while the payload is hidden. */
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
  { now, ...page }: ChainPage & { readonly now: Date },
): Promise<PublicEntry[]> {
  return db
    .with('page', () => chainPage(db, page))
    .with(
      // Materialized, so that each subquery runs once an entry, although its result is used more often.
      cte => cte('shown').materialized(),
      qb =>
        qb
          .selectFrom('page')
          .selectAll()
          .select([isFinal(now).as('final'), hasClosed(now).as('closed')]),
    )
    .selectFrom('shown')
    .select(['seq', 'version', 'kind', 'sale_seq as saleSeq', 'created_at as createdAt'])
    .select(['opens_by as opensBy', 'previous_hash as previousHash', 'hash', 'simulated'])
    .select([
      sql<Buffer>`sha256(salt || convert_to(payload, 'UTF8'))`.as('commitment'),
      sql<string | null>`case when final or closed then payload end`.as('payload'),
      sql<Buffer | null>`case when final or closed then salt end`.as('salt'),
      'final as isFinal',
    ])
    .orderBy('seq')
    .execute();
}

function chainPage(db: Db, { after, limit }: ChainPage) {
  return (
    db
      .selectFrom('record_entries as entry')
      .innerJoin('reports as report', 'report.id', 'entry.report_id')
      // An entry of version 1 is about a sale, and opens with it, if a run was handed over to release 1.0.0.
      .leftJoinLateral(
        eb =>
          eb
            .selectFrom('record_entries')
            .select(['seq', 'opens_by'])
            .whereRef('report_id', '=', 'entry.report_id')
            .where('kind', '=', 'sold')
            .whereRef('entry.version', '=', sql.lit(1))
            .limit(1)
            .as('sale'),
        join => join.onTrue(),
      )
      .select(['entry.seq', 'entry.version', 'entry.kind', 'entry.report_id', 'entry.created_at'])
      .select(['entry.previous_hash', 'entry.hash', 'entry.salt', 'entry.payload'])
      .select(eb => [
        eb.fn.coalesce('entry.sale_seq', 'sale.seq').as('sale_seq'),
        eb.fn.coalesce('entry.opens_by', 'sale.opens_by').as('opens_by'),
      ])
      .select(['report.simulated', 'report.event_id'])
      .where('entry.seq', '>', after)
      .orderBy('entry.seq')
      .limit(limit)
  );
}

/** Whether everybody may read the payload. Takes `report_id`, `event_id` and `opens_by` of a row that is named `page`. */
export function isPublic(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(${isFinal(now)} or ${hasClosed(now)})`;
}

/** Whether everybody may read it for good. */
function isFinal(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(coalesce(page.opens_by <= ${now}, false) or ${isGraded})`;
}

// Scalar subqueries, which PostgreSQL evaluates per entry of the page: it would read all grades for an `exists`.
const isGraded = sql<boolean>`coalesce(
  (select true from grades where grades.report_id = page.report_id and open_markets = 0 limit 1), false
)`;

function hasClosed(now: Date): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select events.event ->> 'status' = 'closed' and (events.event ->> 'closesAt')::timestamptz <= ${now}
    from events where events.event_id = page.event_id
  ), false)`;
}
