import { type ExpressionBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { CouncilModel } from '../../council/models.js';
import type { BatchLane, BatchPause, BatchRowState, BatchStatus } from '../../purchase/batches.js';
import { idempotencyKeptHours, keptRowsPerDayPerAccount } from '../../purchase/limits.js';
import type { Idempotency } from '../../purchase/purchase.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { offsetOf, type Page, type Paging } from '../paging.js';
import type { Database } from '../schema/schema.js';
import { rowState } from './batch-rows.js';
import { spentQuery } from './batch-situation.js';

/**
 * Batches. Invariants:
 * - one key of an account stores one batch in 24 hours;
 * - what a batch has spent, and how far its rows are, is read from its purchases and reports as of one moment, and stored
 *   nowhere.
 */
export interface StoredBatch {
  readonly id: string;
  readonly accountId: string;
  readonly apiKeyId: string | null;
  readonly name: string | null;
  readonly lane: BatchLane;
  readonly status: BatchStatus;
  readonly pausedReason: BatchPause | null;
  readonly pausedMember: CouncilModel | null;
  /** When it goes on by itself; null if it waits for its owner. */
  readonly resumesAt: Date | null;
  readonly budgetCredits: number;
  readonly spentCredits: number;
  readonly maxCreditsEach: number | null;
  readonly minMembers: number;
  readonly maxInFlight: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly rows: Readonly<Record<BatchRowState | 'total', number>>;
}

export interface NewBatch
  extends Pick<
    StoredBatch,
    | 'id'
    | 'accountId'
    | 'apiKeyId'
    | 'name'
    | 'lane'
    | 'budgetCredits'
    | 'maxCreditsEach'
    | 'minMembers'
    | 'maxInFlight'
  > {
  /** Each once; rows are bought in this order. */
  readonly eventIds: readonly string[];
  readonly idempotency: Idempotency;
  readonly now: Date;
}

/**
 * Stores a batch and its rows. The same key returns the batch that was stored under it.
 * @returns its id; `mismatch` for a key that was used for another request; when the next one can be created, after as many
 * as an account may have in a day
 */
export async function createBatch(
  db: Db,
  batch: NewBatch,
): Promise<{ readonly id: string } | 'mismatch' | { readonly nextAt: Date }> {
  const { id, accountId, idempotency, now } = batch;
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const earlier = await findByKey(tx, batch);
    if (earlier !== undefined)
      return earlier.fingerprint === idempotency.fingerprint ? { id: earlier.id } : 'mismatch';
    const nextAt = await nextAfter(tx, accountId, now);
    if (nextAt !== null) return { nextAt };
    await tx
      .insertInto('batches')
      .values({
        id,
        account_id: accountId,
        api_key_id: batch.apiKeyId,
        name: batch.name,
        lane: batch.lane,
        budget_credits: batch.budgetCredits,
        max_credits_each: batch.maxCreditsEach,
        min_members: batch.minMembers,
        max_in_flight: batch.maxInFlight,
        idempotency_key: idempotency.key,
        fingerprint: idempotency.fingerprint,
        created_at: now,
        running_since: now,
      })
      .execute();
    const rows = batch.eventIds.map((event_id, index) => ({ batch_id: id, position: index + 1, event_id }));
    await tx.insertInto('batch_rows').values(rows).execute();
    return { id };
  });
}

async function findByKey(tx: Tx, { accountId, idempotency, now }: NewBatch) {
  return tx
    .selectFrom('batches')
    .select(['id', 'fingerprint'])
    .where('account_id', '=', accountId)
    .where('idempotency_key', '=', idempotency.key)
    .where('created_at', '>', hoursBefore(now, idempotencyKeptHours))
    .executeTakeFirst();
}

/** When the oldest of as many batches as an account may create in a day is a day old; null if there are fewer. */
async function nextAfter(tx: Tx, accountId: string, now: Date): Promise<Date | null> {
  const blocking = await tx
    .selectFrom('batches')
    .select('created_at as createdAt')
    .where('account_id', '=', accountId)
    .where('created_at', '>', hoursBefore(now, 24))
    .orderBy('created_at', 'desc')
    .offset(keptRowsPerDayPerAccount - 1)
    .limit(1)
    .executeTakeFirst();
  return blocking === undefined ? null : hoursBefore(blocking.createdAt, -24);
}

function hoursBefore(now: Date, hours: number): Date {
  return new Date(now.getTime() - hours * 3_600_000);
}

/** Null if the account has no such batch. What is spent and how far the rows are is of one moment. */
export async function findBatch(
  db: Db | Tx,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<StoredBatch | null> {
  const found = await batchesQuery(db)
    .where('batch.id', '=', id)
    .where('batch.account_id', '=', accountId)
    .executeTakeFirst();
  return found ?? null;
}

/** Of any account, for the workflow that buys its rows. */
export async function readBatch(db: Db | Tx, id: string): Promise<StoredBatch> {
  return batchesQuery(db).where('batch.id', '=', id).executeTakeFirstOrThrow();
}

/** Newest first. */
export async function listBatches(db: Db, accountId: string, range: Paging): Promise<Page<StoredBatch>> {
  const [rows, { total }] = await Promise.all([
    batchesQuery(db)
      .where('batch.account_id', '=', accountId)
      .orderBy('batch.created_at', 'desc')
      .orderBy('batch.id')
      .limit(range.perPage)
      .offset(offsetOf(range))
      .execute(),
    db
      .selectFrom('batches')
      .select(eb => eb.fn.countAll<number>().as('total'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

function batchesQuery(db: Db | Tx) {
  return db
    .selectFrom('batches as batch')
    .select(eb => [
      'batch.id',
      'batch.account_id as accountId',
      'batch.api_key_id as apiKeyId',
      'batch.name',
      'batch.lane',
      'batch.status',
      'batch.paused_reason as pausedReason',
      'batch.paused_member as pausedMember',
      'batch.resumes_at as resumesAt',
      'batch.budget_credits as budgetCredits',
      'batch.max_credits_each as maxCreditsEach',
      'batch.min_members as minMembers',
      'batch.max_in_flight as maxInFlight',
      'batch.created_at as createdAt',
      'batch.ended_at as endedAt',
      spentQuery(db, sql.ref<string>('batch.id')).as('spentCredits'),
      jsonObjectFrom(rowCounts(eb)).$notNull().as('rows'),
    ]);
}

function rowCounts(eb: ExpressionBuilder<Database & { batch: Database['batches'] }, 'batch'>) {
  const inState = (state: BatchRowState) =>
    sql<number>`count(*) filter (where ${rowState} = ${sql.lit(state)})::int`.as(state);
  return eb
    .selectFrom('batch_rows as row')
    .leftJoin('reports as report', 'report.id', 'row.report_id')
    .select([
      sql<number>`count(*)::int`.as('total'),
      inState('waiting'),
      inState('running'),
      inState('completed'),
      inState('failed'),
      inState('refused'),
    ])
    .whereRef('row.batch_id', '=', 'batch.id');
}
