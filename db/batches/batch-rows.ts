import { sql } from 'kysely';
import type { BatchRow, BatchRowCode, BatchRowState } from '../../purchase/batches.js';
import type { Receipt } from '../../purchase/purchase.js';
import type { RefusalCode } from '../../purchase/refusal.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';

/**
 * The rows of batches. Invariants:
 * - a row is bought in the transaction that charges for it, and never twice;
 * - rows change under the lock of their account only;
 * - a row that is bought is as far as its report: its state is read, not stored.
 */
export interface StoredRow {
  readonly position: number;
  readonly eventId: string;
  readonly state: BatchRowState;
  readonly kind: 'fresh' | 'cached' | 'owned' | null;
  readonly reportId: number | null;
  /** What the row was charged and not given back. */
  readonly credits: number;
  readonly code: BatchRowCode | null;
}

/** The state of a row, from `row` and its report, `report`. */
export const rowState = sql<BatchRowState>`case
  when row.state <> 'bought' then row.state
  when report.status in ('completed', 'failed') then report.status
  else 'running' end`;

/** Rows after a position, in their order. */
export async function listRows(
  db: Db,
  batchId: string,
  {
    state,
    after,
    limit,
  }: { readonly state: BatchRowState | null; readonly after: number; readonly limit: number },
): Promise<readonly StoredRow[]> {
  return db
    .selectFrom('batch_rows as row')
    .leftJoin('reports as report', 'report.id', 'row.report_id')
    .leftJoin('report_purchases as paid', join =>
      join
        .onRef('paid.report_id', '=', 'row.report_id')
        .onRef('paid.batch_id', '=', 'row.batch_id')
        .on('paid.state', '=', sql.lit('charged')),
    )
    .select([
      'row.position',
      'row.event_id as eventId',
      rowState.as('state'),
      'row.kind',
      'row.report_id as reportId',
      sql<number>`coalesce(paid.credits, 0)`.as('credits'),
      sql<BatchRowCode | null>`coalesce(row.code, report.failure_code)`.as('code'),
    ])
    .where('row.batch_id', '=', batchId)
    .where('row.position', '>', after)
    .$if(state !== null, query => query.where(rowState, '=', state))
    .orderBy('row.position')
    .limit(limit)
    .execute();
}

/** A row that waits to be bought. */
export type WaitingRow = Pick<StoredRow, 'position' | 'eventId'>;

export async function listWaitingRows(
  db: Db,
  batchId: string,
  limit: number,
): Promise<readonly WaitingRow[]> {
  return db
    .selectFrom('batch_rows')
    .select(['position', 'event_id as eventId'])
    .where('batch_id', '=', batchId)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** A part of the transaction that sells the report of the row, or finds that the account has it. Needs the account lock. */
export async function buyRow(
  tx: Tx,
  { batchId, position }: BatchRow,
  { kind, reportId }: Pick<Receipt, 'kind' | 'reportId'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('batch_rows')
    .set({ state: 'bought', kind, report_id: reportId, decided_at: now })
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .where('state', '=', 'waiting')
    .execute();
}

/** The same purchase would be refused again. A row that was bought meanwhile stays bought. */
export async function refuseRow(
  db: Db,
  { batchId, position }: BatchRow,
  { accountId, code, now }: { readonly accountId: string; readonly code: RefusalCode; readonly now: Date },
): Promise<void> {
  await db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    await tx
      .updateTable('batch_rows')
      .set({ state: 'refused', code, decided_at: now })
      .where('batch_id', '=', batchId)
      .where('position', '=', position)
      .where('state', '=', 'waiting')
      .execute();
  });
}
