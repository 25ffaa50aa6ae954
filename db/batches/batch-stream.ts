import { sql } from 'kysely';
import type { BatchPause, BatchRowState, BatchStatus } from '../../purchase/batches.js';
import type { Db } from '../database.js';
import { rowState } from './batch-rows.js';

/** A batch as its stream shows it: where each of its rows is, at one moment. */
export interface BatchStreamRow {
  readonly batchId: string;
  readonly name: string | null;
  readonly status: BatchStatus;
  readonly pausedReason: BatchPause | null;
  /** In their order. */
  readonly rows: readonly StreamedRow[];
}

export interface StreamedRow {
  readonly position: number;
  readonly eventId: string;
  readonly state: BatchRowState;
  readonly reportId: number | null;
  /** Whole milliseconds since 1970: when it was bought or refused; null while it waits. */
  readonly decidedAtMs: number | null;
  /** When its report ended; null before, and without one. */
  readonly endedAtMs: number | null;
}

/** One statement for any number of batches, so that a batch and its rows are of the same moment. */
export async function readBatchStreams(
  db: Db,
  batchIds: readonly string[],
): Promise<readonly BatchStreamRow[]> {
  const { rows } = await sql<BatchStreamRow>`
    select batch.id as "batchId", batch.name, batch.status, batch.paused_reason as "pausedReason",
      json_agg(json_build_object(
        'position', row.position, 'eventId', row.event_id, 'state', ${rowState}, 'reportId', row.report_id,
        'decidedAtMs', floor(extract(epoch from row.decided_at) * 1000),
        'endedAtMs', floor(extract(epoch from report.ended_at) * 1000)
      ) order by row.position) as rows
    from batches as batch
    join batch_rows as row on row.batch_id = batch.id
    left join reports as report on report.id = row.report_id
    where batch.id = any(${batchIds}::uuid[])
    group by batch.id`.execute(db);
  return rows;
}
