import {
  isLive,
  isPaying,
  type SubscriptionObstacle,
  type SubscriptionState,
  subscriptionObstacle,
} from '../../purchase/billing.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { openAlertQuery } from './payment-findings.js';
import { unpaidUsageQuery } from './usage.js';

/**
 * Stripe customers and their subscriptions. Invariants:
 * - an account keeps its first Stripe customer;
 * - an account has one subscription row, and a live subscription is not replaced by another;
 * - a row is what Stripe's API returned, never what an event claimed.
 */

/** The account's Stripe customer id; null if it has none. */
export async function findCustomer(db: Db | Tx, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.stripe_customer_id ?? null;
}

/** @returns the account's customer id: the given one, unless a concurrent request stored another first. */
export async function saveCustomer(
  db: Db,
  { accountId, customerId, now }: { accountId: string; customerId: string; now: Date },
): Promise<string> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const known = await findCustomer(tx, accountId);
    if (known !== null) return known;
    await tx
      .insertInto('billing_customers')
      .values({ account_id: accountId, stripe_customer_id: customerId, created_at: now })
      .execute();
    return customerId;
  });
}

/** The account's subscription as last read, live or ended. */
export async function findSubscription(db: Db | Tx, accountId: string): Promise<SubscriptionState | null> {
  const row = await subscriptionRows(db).where('subscriptions.account_id', '=', accountId).executeTakeFirst();
  return row ?? null;
}

/** The subscription that pays for reports now; null if none does. */
export async function findActiveSubscription(
  db: Db | Tx,
  accountId: string,
  now: Date,
): Promise<SubscriptionState | null> {
  const stored = await findSubscription(db, accountId);
  return stored !== null && isPaying(stored, now) ? stored : null;
}

/** What keeps the account's subscription from paying for a report now; null if it pays. */
export async function findSubscriptionObstacle(
  db: Db | Tx,
  accountId: string,
  now: Date,
): Promise<SubscriptionObstacle | null> {
  const { hasOpenAlert, unpaidUsdCents } = await db
    .selectNoFrom(eb => [
      eb.exists(openAlertQuery(db, accountId)).$castTo<boolean>().as('hasOpenAlert'),
      unpaidUsageQuery(db, accountId).as('unpaidUsdCents'),
    ])
    .executeTakeFirstOrThrow();
  const subscription = await findSubscription(db, accountId);
  return subscriptionObstacle({ subscription, hasOpenAlert, unpaidUsdCents: unpaidUsdCents ?? 0 }, now);
}

/** `unknown_customer`: no account has it. `another_is_live`: the account keeps its live subscription. */
export type SubscriptionSaved =
  | { readonly outcome: 'noted' | 'unknown_customer' | 'over_before' }
  | { readonly outcome: 'another_is_live'; readonly subscriptionId: string };

/** Stores the state of a subscription as Stripe returned it. */
export async function saveSubscription(
  db: Db,
  state: SubscriptionState,
  now: Date,
): Promise<SubscriptionSaved> {
  const customer = await db
    .selectFrom('billing_customers')
    .select('account_id')
    .where('stripe_customer_id', '=', state.customerId)
    .executeTakeFirst();
  if (customer === undefined) return { outcome: 'unknown_customer' };
  return db.transaction().execute(async tx => {
    await lockAccount(tx, customer.account_id);
    const known = await findSubscription(tx, customer.account_id);
    if (known !== null && known.subscriptionId !== state.subscriptionId) {
      if (!isLive(state)) return { outcome: 'over_before' };
      if (isLive(known)) return { outcome: 'another_is_live', subscriptionId: known.subscriptionId };
    }
    await writeSubscription(tx, customer.account_id, state, now);
    return { outcome: 'noted' };
  });
}

function subscriptionRows(db: Db | Tx) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('billing_customers', 'billing_customers.account_id', 'subscriptions.account_id')
    .select([
      'stripe_subscription_id as subscriptionId',
      'stripe_customer_id as customerId',
      'status',
      'period_start as periodStart',
      'period_end as periodEnd',
      'cancel_at_period_end as cancelAtPeriodEnd',
      'ends_at as endsAt',
    ]);
}

async function writeSubscription(
  tx: Tx,
  accountId: string,
  state: SubscriptionState,
  now: Date,
): Promise<void> {
  const values = {
    stripe_subscription_id: state.subscriptionId,
    status: state.status,
    period_start: state.periodStart,
    period_end: state.periodEnd,
    cancel_at_period_end: state.cancelAtPeriodEnd,
    ends_at: state.endsAt,
    updated_at: now,
  };
  await tx
    .insertInto('subscriptions')
    .values({ account_id: accountId, ...values })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(values))
    .execute();
}
