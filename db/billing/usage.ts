import { sql } from 'kysely';
import { subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../council/limits.js';
import type { Db, Tx } from '../database.js';
import type { DB } from '../schema/tables.js';

/**
 * The usage outbox: what a subscription is billed for, until Stripe has it. Invariants:
 * - a row is written in the transaction that delivers the report, once per purchase (primary key);
 * - the row holds the price; Stripe's charge is compared with it, not the other way round;
 * - `pending` ends once, as `sent`, `held` (a person must check) or `void`; `sent` and `held` can only become
 *   `void`;
 * - rows are never deleted.
 */

type UsageState = DB['usage_outbox']['state'];

export interface DeliveredReport {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly kind: 'fresh' | 'cached';
  readonly now: Date;
}

/** @throws Error if the account has no Stripe customer, and so cannot have a subscription. */
export async function recordUsage(tx: Tx, report: DeliveredReport): Promise<void> {
  const customer = await tx
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('account_id', '=', report.accountId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('usage_outbox')
    .values({
      id: report.purchaseId,
      account_id: report.accountId,
      report_id: report.reportId,
      kind: report.kind,
      amount_usd_cents: report.kind === 'fresh' ? subscriptionFreshUsdCents : subscriptionCachedUsdCents,
      stripe_customer_id: customer.stripe_customer_id,
      state: 'pending',
      occurred_at: report.now,
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
}

export interface PendingUsage {
  readonly id: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amountUsdCents: number;
  readonly occurredAt: Date;
  /** Null if it was never sent, so Stripe cannot have it. */
  readonly firstTriedAt: Date | null;
}

/** Usage still to be sent, oldest first. */
export async function listPendingUsage(db: Db, limit: number): Promise<readonly PendingUsage[]> {
  return db
    .selectFrom('usage_outbox')
    .select([
      'id',
      'account_id as accountId',
      'stripe_customer_id as customerId',
      'amount_usd_cents as amountUsdCents',
      'occurred_at as occurredAt',
      'first_tried_at as firstTriedAt',
    ])
    .where('state', '=', sql.lit('pending'))
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Records, before Stripe is called, that Stripe may have the event from now on. The first attempt counts,
 * because Stripe recognises a duplicate event for one day only.
 * @returns false if the usage is no longer pending and must not be sent.
 */
export async function markUsageTried(db: Db, id: string, now: Date): Promise<boolean> {
  const updated = await db
    .updateTable('usage_outbox')
    .set(eb => ({ first_tried_at: eb.fn.coalesce('first_tried_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** @returns whether it was pending. If it was sent but is void by now, the caller cancels it at Stripe. */
export async function settleUsage(
  db: Db,
  id: string,
  state: Exclude<UsageState, 'pending' | 'void'>,
  now: Date,
): Promise<boolean> {
  const settled = await db
    .updateTable('usage_outbox')
    .set({ state, settled_at: now })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return settled !== undefined;
}

/**
 * Removes the usage from the bill and stores the reason. Idempotent: the first reason stays.
 * @returns whether Stripe may have the event, which must then be cancelled there.
 */
export async function voidUsage(
  db: Db | Tx,
  id: string,
  { reason, now }: { reason: string; now: Date },
): Promise<boolean> {
  await db
    .updateTable('usage_outbox')
    .set({ state: 'void', settled_at: now, void_reason: reason })
    .where('id', '=', id)
    .where('state', '<>', 'void')
    .execute();
  const row = await db
    .selectFrom('usage_outbox')
    .select('first_tried_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && row.first_tried_at !== null;
}

export interface UsageTotals {
  readonly freshReports: number;
  readonly cachedReports: number;
  readonly usdCents: number;
}

/** What an account is billed for in `[from, to)`. */
export async function sumUsage(db: Db, accountId: string, from: Date, to: Date): Promise<UsageTotals> {
  return db
    .selectFrom('usage_outbox')
    .select(({ fn, eb }) => [
      fn.countAll<number>().filterWhere('kind', '=', 'fresh').as('freshReports'),
      fn.countAll<number>().filterWhere('kind', '=', 'cached').as('cachedReports'),
      fn.coalesce(fn.sum<number>('amount_usd_cents'), eb.val(0)).as('usdCents'),
    ])
    .where('account_id', '=', accountId)
    .where('state', '<>', 'void')
    .where('occurred_at', '>=', from)
    .where('occurred_at', '<', to)
    .executeTakeFirstOrThrow();
}

/** A usage row for operators. */
export interface UsageRow {
  readonly id: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly amountUsdCents: number;
  readonly state: UsageState;
}

/** Null if no report was metered under this id. */
export async function findUsage(db: Db, id: string): Promise<UsageRow | null> {
  const row = await db
    .selectFrom('usage_outbox')
    .select([
      'id',
      'account_id as accountId',
      'report_id as reportId',
      'amount_usd_cents as amountUsdCents',
      'state',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}
