import { sql } from 'kysely';
import type { CouncilModel } from '../../council/models.js';
import {
  batchFailuresInRow,
  type ThrottledSlots,
  throttleSlotSeconds,
  throttleSlots,
} from '../../purchase/batches.js';
import type { Db } from '../database.js';

/** What batches know of the members that their rows need: read from the calls and the runs themselves, and stored nowhere. */

interface Payers {
  /** The account whose own provider keys pay; null for the keys of the house, which all other accounts share. */
  readonly byokOf: string | null;
  readonly now: Date;
}

/** In how many of the last slots each member's vendor asked for fewer requests. */
export async function readThrottledSlots(db: Db, { byokOf, now }: Payers): Promise<ThrottledSlots> {
  const since = new Date(now.getTime() - throttleSlots * throttleSlotSeconds * 1_000);
  const payer =
    byokOf === null
      ? sql`call.lane is distinct from 'byok'`
      : sql`call.lane = 'byok' and exists (
          select from reports as report where report.id = call.report_id and report.account_id = ${byokOf})`;
  const { rows } = await sql<{ readonly model: CouncilModel; readonly slots: number }>`
    select call.model, count(distinct floor(extract(epoch from call.called_at) / ${throttleSlotSeconds}))::int as slots
    from provider_calls as call
    where call.called_at > ${since} and call.called_at <= ${now} and call.outcome = 'rate_limited' and ${payer}
    group by call.model`.execute(db);
  return Object.fromEntries(rows.map(({ model, slots }) => [model, slots]));
}

/**
 * The member without which the last runs of a batch had too few opinions, all in a row; null if there is none. Only runs
 * count that began since the batch last went on: its owner, who has resumed it, wants the member tried again.
 */
export async function findFailingMember(db: Db, batchId: string): Promise<CouncilModel | null> {
  const { rows } = await sql<{ readonly model: CouncilModel }>`
    with last as (
      select report.id, report.failure_code
      from batches as batch
      join batch_rows as row on row.batch_id = batch.id
      join reports as report on report.id = row.report_id
      where batch.id = ${batchId} and row.kind = 'fresh'
        and report.created_at >= batch.running_since and report.ended_at is not null
      order by report.ended_at desc limit ${batchFailuresInRow})
    select lost.event ->> 'model' as model
    from last
    join report_streams as stream on stream.report_id = last.id
    cross join jsonb_array_elements(stream.events) as lost (event)
    where lost.event ->> 'event' = 'member.lost' and lost.event ->> 'stage' = 'opinions'
      and (select count(*) filter (where failure_code = 'quorum_lost') from last) = ${batchFailuresInRow}
    group by 1
    having count(distinct last.id) = ${batchFailuresInRow}
    order by 1 limit 1`.execute(db);
  return rows[0]?.model ?? null;
}
