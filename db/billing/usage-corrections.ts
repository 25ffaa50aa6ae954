import { sql } from 'kysely';
import { usageRetryAt } from '../../purchase/billing.js';
import { usageCancelHours } from '../../purchase/limits.js';
import type { Db, Tx } from '../database.js';
import type { DB } from '../schema/tables.js';

/**
 * What operators change about usage. Invariants:
 * - voiding stores in the same statement that Stripe has to cancel the usage, so that a crash or an outage only delays
 *   the cancellation;
 * - a cancellation stays `due` until Stripe confirms it; when Stripe no longer cancels usage of that age, it is
 *   `expired`, which the audit reports;
 * - every correction of an operator has a reason.
 */

type Cancellation = DB['usage_outbox']['cancellation'];

export interface Correction {
  readonly reason: string;
  readonly now: Date;
}

/**
 * Removes the usage from the bill and stores the reason. Idempotent: the first reason and time stay.
 * @returns the state of its cancellation at Stripe; null if Stripe cannot have the usage
 */
export async function voidUsage(db: Db | Tx, id: string, { reason, now }: Correction): Promise<Cancellation> {
  await db
    .updateTable('usage_outbox')
    .set({
      state: 'void',
      settled_at: now,
      void_reason: reason,
      next_try_at: now,
      failures: 0,
      cancellation: sql<NonNullable<Cancellation>>`case when first_tried_at is not null then 'due' end`,
    })
    .where('id', '=', id)
    .where('state', '<>', 'void')
    .execute();
  const row = await db
    .selectFrom('usage_outbox')
    .select('cancellation')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.cancellation ?? null;
}

/** A cancellation that Stripe has to confirm. */
export interface DueCancellation {
  readonly id: string;
  /** Part of the idempotency key: tries of one series are one request to Stripe. */
  readonly series: number;
}

/** Cancellations to be tried now, oldest first. */
export async function listDueCancellations(
  db: Db,
  now: Date,
  limit: number,
): Promise<readonly DueCancellation[]> {
  return dueCancellations(db).where('next_try_at', '<=', now).orderBy('next_try_at').limit(limit).execute();
}

/** The cancellation of one usage; null if it is not due. */
export async function findDueCancellation(db: Db, id: string): Promise<DueCancellation | null> {
  return (await dueCancellations(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Names the state with `sql.lit`, because the partial index is declared on that literal. */
function dueCancellations(db: Db) {
  return db
    .selectFrom('usage_outbox')
    .select(['id', 'cancel_series as series'])
    .where('cancellation', '=', sql.lit('due'));
}

/**
 * Starts a new series for usage that was sent after it was voided. An earlier cancellation may have been confirmed
 * before this event existed, and its response must not be repeated for this one.
 */
export async function reopenCancellation(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('usage_outbox')
    .set(eb => ({ cancellation: 'due', next_try_at: now, cancel_series: eb('cancel_series', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'void')
    .execute();
}

/** `answered`: Stripe has recorded the failure and would repeat it in this series, so the next try is a new series. */
export type CancellationOutcome =
  | { readonly confirmed: true; readonly now: Date }
  | { readonly confirmed: false; readonly answered: boolean; readonly now: Date };

export type CancellationResult = NonNullable<Cancellation>;

/**
 * Records one try. After a failure it schedules the next one, or gives up when Stripe no longer cancels usage of that
 * age. A try of an earlier series changes nothing.
 */
export async function recordCancellation(
  db: Db,
  { id, series }: DueCancellation,
  outcome: CancellationOutcome,
): Promise<CancellationResult> {
  const { now } = outcome;
  return db.transaction().execute(async tx => {
    const row = await tx
      .selectFrom('usage_outbox')
      .select(['failures', 'cancellation', 'cancel_series', 'settled_at as voidedAt'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { failures, voidedAt } = row;
    if (row.cancel_series !== series || row.cancellation !== 'due') return row.cancellation ?? 'done';
    const isExpired = voidedAt !== null && now.getTime() - voidedAt.getTime() >= usageCancelHours * 3_600_000;
    const cancellation = outcome.confirmed ? 'done' : isExpired ? 'expired' : 'due';
    const isNewSeries = !outcome.confirmed && outcome.answered;
    await tx
      .updateTable('usage_outbox')
      .set({
        cancellation,
        failures: failures + 1,
        next_try_at: usageRetryAt(failures + 1, now),
        cancel_series: isNewSeries ? series + 1 : series,
      })
      .where('id', '=', id)
      .execute();
    return cancellation;
  });
}

/**
 * Lets the sender send usage that Stripe does not have: it is pending again, and its day for safe retries starts again.
 * The caller has to know that Stripe did not count it.
 * @returns false if its state has changed since the caller read it
 */
export async function resendUsage(
  db: Db,
  { id, state }: { readonly id: string; readonly state: 'pending' | 'held' | 'sent' },
  { reason, now }: Correction,
): Promise<boolean> {
  const changed = await db
    .updateTable('usage_outbox')
    .set({ next_try_at: now, failures: 0 })
    .$if(state !== 'pending', query =>
      query.set({
        state: 'pending',
        settled_at: null,
        settle_reason: reason,
        first_tried_at: now,
        uncertain_tries: 1,
      }),
    )
    .where('id', '=', id)
    .where('state', '=', state)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/**
 * Records that an operator has dealt with the usage: held usage counts as sent, and an expired cancellation as done.
 * @returns false if the usage is in no state that an operator has to settle
 */
export async function settleByOperator(db: Db, id: string, { reason, now }: Correction): Promise<boolean> {
  const held = await db
    .updateTable('usage_outbox')
    .set({ state: 'sent', settled_at: now, settle_reason: reason })
    .where('id', '=', id)
    .where('state', '=', 'held')
    .returning('id')
    .executeTakeFirst();
  if (held !== undefined) return true;
  const voided = await db
    .updateTable('usage_outbox')
    .set({ cancellation: 'done', settle_reason: reason })
    .where('id', '=', id)
    .where('cancellation', 'in', ['due', 'expired'])
    .returning('id')
    .executeTakeFirst();
  return voided !== undefined;
}
