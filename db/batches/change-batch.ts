import { sql } from 'kysely';
import { endOfUtcDay, utcDay } from '../../council/calendar.js';
import type { BatchChange, BatchChangeAnswer, OwnPause } from '../../purchase/batches.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { announce } from '../webhooks/outbox.js';
import { readBatch, type StoredBatch } from './batches.js';

/**
 * What pauses, resumes and ends a batch. Invariants:
 * - a batch changes under the lock of its account, under which its rows are bought: one that is paused or cancelled buys
 *   nothing after the change is committed, and its budget is never less than what is spent;
 * - a batch is completed when none of its rows waits or runs; a cancelled one stays so;
 * - endpoints learn of a pause and of the end in the transaction that makes it true.
 */

/** Carries out what its owner asks for. */
export async function changeBatch(
  db: Db,
  { accountId, id, now }: { readonly accountId: string; readonly id: string; readonly now: Date },
  { budgetCredits, status, retry }: BatchChange,
): Promise<BatchChangeAnswer> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const batch = await readBatch(tx, id);
    if (retry === true) return retryRows(tx, batch, now);
    if (batch.endedAt !== null) return 'ended';
    if (budgetCredits !== undefined && budgetCredits < batch.spentCredits) return 'below_spent';
    const isRaised = budgetCredits !== undefined && budgetCredits > batch.budgetCredits;
    const next = status ?? (isRaised && batch.pausedReason === 'budget' ? 'running' : undefined);
    await tx
      .updateTable('batches')
      .set({
        budget_credits: budgetCredits ?? batch.budgetCredits,
        ...(next === undefined ? {} : columnsOf(next, now)),
      })
      .where('id', '=', id)
      .execute();
    if (next === 'paused' && batch.status !== 'paused')
      await announceBatch(tx, 'batch.paused', await readBatch(tx, id), now);
    return 'changed';
  });
}

function columnsOf(status: 'running' | 'paused' | 'cancelled', now: Date) {
  return {
    status,
    ...(status === 'running' ? { running_since: now } : {}),
    paused_reason: status === 'paused' ? ('asked' as const) : null,
    paused_member: null,
    resumes_at: null,
    ended_at: status === 'cancelled' ? now : null,
  };
}

/**
 * Pauses a batch whose next row cannot be bought, until the next day if the house sells no more today. Does nothing to one
 * that does not run.
 */
export async function pauseBatch(
  db: Db,
  { accountId, id }: Pick<StoredBatch, 'accountId' | 'id'>,
  pause: OwnPause,
  now: Date,
): Promise<void> {
  const { reason } = pause;
  const resumesAt = reason === 'house_limit' ? endOfUtcDay(utcDay(now)) : null;
  await db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const paused = await tx
      .updateTable('batches')
      .set({
        status: 'paused',
        paused_reason: reason,
        paused_member: reason === 'member' ? pause.member : null,
        resumes_at: resumesAt,
      })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst();
    if (paused !== undefined) await announceBatch(tx, 'batch.paused', await readBatch(tx, id), now);
  });
}

/** Lets a batch go on whose pause is over by itself. Nothing else that has paused it ends so. */
export async function resumeBatch(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('batches')
    .set({ status: 'running', running_since: now, paused_reason: null, resumes_at: null })
    .where('id', '=', id)
    .where('status', '=', 'paused')
    .where('resumes_at', '<=', now)
    .execute();
}

/** Ends a batch of which no row waits or runs. @returns whether it has ended, now or before */
export async function endBatch(
  db: Db,
  { accountId, id }: Pick<StoredBatch, 'accountId' | 'id'>,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const { status, rows } = await readBatch(tx, id);
    if (status !== 'running') return status !== 'paused';
    if (rows.waiting + rows.running > 0) return false;
    await tx
      .updateTable('batches')
      .set({ status: 'completed', ended_at: now })
      .where('id', '=', id)
      .execute();
    await announceBatch(tx, 'batch.completed', await readBatch(tx, id), now);
    return true;
  });
}

/** Lets failed and refused rows be bought again, and a batch that had completed run again. Needs the account lock. */
async function retryRows(tx: Tx, { id, status }: StoredBatch, now: Date): Promise<BatchChangeAnswer> {
  if (status === 'cancelled') return 'ended';
  const { rows } = await sql`
    update batch_rows as row
    set state = 'waiting', kind = null, report_id = null, code = null, decided_at = null
    where batch_id = ${id} and (state = 'refused' or (state = 'bought' and exists (
      select from reports as report where report.id = row.report_id and report.status = 'failed')))
    returning position`.execute(tx);
  if (rows.length > 0 && status === 'completed') {
    await tx.updateTable('batches').set(columnsOf('running', now)).where('id', '=', id).execute();
  }
  return 'changed';
}

async function announceBatch(
  tx: Tx,
  type: 'batch.paused' | 'batch.completed',
  { accountId, ...batch }: StoredBatch,
  now: Date,
): Promise<void> {
  const data = {
    batch_id: batch.id,
    name: batch.name,
    status: batch.status,
    paused_reason: batch.pausedReason,
  };
  const to = sql`select ${accountId}::uuid as account_id, ${JSON.stringify(data)}::json as data`;
  await announce(tx, { type, to, now });
}
