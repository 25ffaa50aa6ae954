import { sql } from 'kysely';
import type { RecordProof } from '../../record/figures/record-proof.js';
import { overdue } from '../audit/record-checks.js';
import { allRows } from '../audit/scope.js';
import type { Db, Tx } from '../database.js';

/**
 * What the receipts prove. A forecast is proved if a receipt covers its entry, of a time before its outcome can have been
 * known: the earliest of when the resolution was observed that the grade is based on, when any resolution of the event was
 * first observed after the entry was made, and when the market was to close.
 *
 * Reads each graded report, its entry, a receipt and a resolution by their indexes, which takes half a second for 50,000
 * reports: run it with the figures, not for a reader.
 *
 * @param now overdue entries, of live and simulated reports, are those of this time
 */
export async function measureProof(tx: Tx, simulated: boolean, now: Date): Promise<RecordProof> {
  const { rows } = await sql<{ graded: number; stamped: number; overdue: number }>`
    with current as (
      select distinct on (report_id) report_id, state, resolution_id from grades
      order by report_id, resolution_id desc, id desc
    ), answer as materialized (
      select id, event_id, observed_at, (evidence ->> 'closes_at')::timestamptz as closes_at from resolutions
    ), forecast as (
      select entry.seq, least(answer.observed_at, answer.closes_at, first.observed_at) as known_at
      from current
      join reports as report on report.id = current.report_id and report.simulated = ${simulated}
      join record_entries as entry on entry.report_id = current.report_id and entry.kind = 'completed'
      join answer on answer.id = current.resolution_id
      left join lateral (
        select observed_at from resolutions
        where event_id = answer.event_id and observed_at >= entry.created_at order by id limit 1
      ) as first on true
      where current.state = 'graded'
    )
    select count(*) as graded,
      count(*) filter (where (
        select stamped_at from record_timestamps where seq >= forecast.seq order by seq, stamped_at limit 1
      ) < known_at) as stamped,
      (select count(*) from (${overdue(now, allRows)}) as fault) as overdue
    from forecast`.execute(tx);
  const { graded = 0, stamped = 0, overdue: hidden = 0 } = rows[0] ?? {};
  return { graded, stamped_before_outcome: stamped, unproven: graded - stamped, overdue: hidden };
}

/** As last measured, and the authority of the newest receipt; null for each that there is not. */
export async function readProof(
  db: Db | Tx,
  simulated: boolean,
): Promise<{ readonly proof: RecordProof | null; readonly authority: string | null }> {
  return db
    .selectNoFrom(eb => [
      eb
        .selectFrom('track_records')
        .select('proof')
        .where('simulated', '=', simulated)
        .$asScalar()
        .as('proof'),
      eb
        .selectFrom('record_timestamps')
        .select('authority')
        .orderBy('id', 'desc')
        .limit(1)
        .$asScalar()
        .as('authority'),
    ])
    .executeTakeFirstOrThrow();
}
