import { sql } from 'kysely';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { windowShare } from '../../purchase/batches.js';
import type { Db } from '../database.js';
import { readThrottledSlots } from './member-health.js';

/** The batches of all accounts, for operators. */
export interface BatchFigures {
  readonly running: number;
  readonly paused: number;
  /** Of the paused: those that wait because a member keeps failing. */
  readonly pausedForMember: number;
  /** Rows of running batches that wait to be bought. */
  readonly waitingRows: number;
  /** How long ago the slowest running batch with waiting rows has bought, refused or finished one; 0 without one. */
  readonly standsStillSeconds: number;
  /** The share of their places that batches may use, by the member that is refused. */
  readonly windowShares: readonly (readonly [member: CouncilModel, share: number])[];
}

export async function readBatchFigures(db: Db, now: Date): Promise<BatchFigures> {
  const [{ rows }, throttled] = await Promise.all([
    sql<Omit<BatchFigures, 'windowShares' | 'standsStillSeconds'> & { readonly stillSince: Date | null }>`
      with open as (
        select batch.status, batch.paused_reason,
          (select count(*) from batch_rows as row where row.batch_id = batch.id and row.state = 'waiting') as waiting,
          (select greatest(batch.running_since, max(row.decided_at), max(report.ended_at))
            from batch_rows as row left join reports as report on report.id = row.report_id
            where row.batch_id = batch.id) as progress_at
        from batches as batch where batch.status in ('running', 'paused'))
      select
        count(*) filter (where status = 'running') as running,
        count(*) filter (where status = 'paused') as paused,
        count(*) filter (where paused_reason = 'member') as "pausedForMember",
        coalesce(sum(waiting) filter (where status = 'running'), 0)::bigint as "waitingRows",
        min(progress_at) filter (where status = 'running' and waiting > 0) as "stillSince"
      from open`.execute(db),
    readThrottledSlots(db, { byokOf: null, now }),
  ]);
  const { stillSince, ...counts } = rows[0] ?? noBatches;
  return {
    ...counts,
    standsStillSeconds: stillSince === null ? 0 : Math.max(0, (now.getTime() - stillSince.getTime()) / 1_000),
    windowShares: councilModels.map(model => [model, windowShare(throttled[model] ?? 0)] as const),
  };
}

const noBatches = { running: 0, paused: 0, pausedForMember: 0, waitingRows: 0, stillSince: null };
