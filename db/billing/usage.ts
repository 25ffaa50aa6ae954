import type { PaidInvoice } from '../../purchase/billing.js';
import { billedUsdCents } from '../../purchase/decide-purchase.js';
import type { Db, Tx } from '../database.js';
import type { DB } from '../schema/tables.js';

/**
 * The usage outbox: what a subscription is billed for. Invariants:
 * - a row is written in the transaction that delivers the report, once per purchase (primary key);
 * - the row holds the price; Stripe's charge is compared with it, not the other way round;
 * - it occurred when the report was bought, which is inside the period of the subscription that paid, even if the
 *   report was delivered after its end;
 * - `pending` becomes `sent`, `held` (a person must check) or `void`; only an operator sends `sent` or `held` usage
 *   again, and `void` stays;
 * - `paid_at` is when the invoice of its period was paid, which Stripe's event says;
 * - rows are never deleted, and their terms never change (trigger).
 *
 * `usage-sending.ts` sends it, `usage-corrections.ts` is what operators do with it.
 */

type UsageState = DB['usage_outbox']['state'];

export interface DeliveredReport {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly reportId: number;
  readonly kind: 'fresh' | 'cached';
  readonly boughtAt: Date;
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
      amount_usd_cents: billedUsdCents({ kind: report.kind, lane: 'subscription' }),
      stripe_customer_id: customer.stripe_customer_id,
      state: 'pending',
      occurred_at: report.boughtAt,
      next_try_at: report.boughtAt,
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
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

/** Usage of an account whose invoice is not paid, in cents of a US dollar. */
export function unpaidUsageQuery(db: Db | Tx, accountId: string) {
  return db
    .selectFrom('usage_outbox')
    .select(({ fn, eb }) => fn.coalesce(fn.sum<number>('amount_usd_cents'), eb.lit(0)).as('usdCents'))
    .where('account_id', '=', accountId)
    .where('paid_at', 'is', null)
    .where('state', '<>', 'void');
}

/** Marks the usage of a paid invoice as paid. Idempotent, and in any order of invoices. */
export async function markUsagePaid(db: Db, { customerId, periods }: PaidInvoice, now: Date): Promise<void> {
  for (const { from, to } of periods) {
    await db
      .updateTable('usage_outbox')
      .set({ paid_at: now })
      .where('stripe_customer_id', '=', customerId)
      .where('occurred_at', '>=', from)
      .where('occurred_at', '<', to)
      .where('paid_at', 'is', null)
      .execute();
  }
}

/** A usage row for operators. */
export interface UsageRow {
  readonly id: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly reportId: number;
  readonly amountUsdCents: number;
  readonly state: UsageState;
  readonly occurredAt: Date;
}

/** Null if no report was metered under this id. */
export async function findUsage(db: Db, id: string): Promise<UsageRow | null> {
  const row = await db
    .selectFrom('usage_outbox')
    .select([
      'id',
      'account_id as accountId',
      'stripe_customer_id as customerId',
      'report_id as reportId',
      'amount_usd_cents as amountUsdCents',
      'state',
      'occurred_at as occurredAt',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}
