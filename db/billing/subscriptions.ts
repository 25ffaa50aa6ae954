import { isLive, type SubscriptionState } from '../../council/purchase/billing.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';

/**
 * Who is a customer of Stripe's, and what their subscription is there. Invariants:
 * - an account is one customer for ever: the first one noted stays;
 * - an account has one row, and a live subscription is not displaced by another one;
 * - a row is what Stripe said when it was asked, never what an event claimed.
 */

/** Renewals reach this service a little late; nobody is turned away for that. */
const renewalGraceMs = 60 * 60 * 1_000;

/** The customer's id at Stripe; null for an account that was never one. */
export async function findCustomer(db: Db | Tx, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.stripe_customer_id ?? null;
}

/** @returns the id that counts from now on: the one given, unless another request was first. */
export async function noteCustomer(
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

/** What was last read of the account's subscription, over or not. */
export async function findSubscription(db: Db | Tx, accountId: string): Promise<SubscriptionState | null> {
  const row = await subscriptionRows(db).where('subscriptions.account_id', '=', accountId).executeTakeFirst();
  return row ?? null;
}

/** The subscription that pays for reports now: `active` or `trialing`, and not past its period but for an hour. */
export async function findActiveSubscription(
  db: Db | Tx,
  accountId: string,
  now: Date,
): Promise<SubscriptionState | null> {
  const row = await subscriptionRows(db)
    .where('subscriptions.account_id', '=', accountId)
    .where('status', 'in', ['active', 'trialing'])
    .where('period_end', '>', new Date(now.getTime() - renewalGraceMs))
    .executeTakeFirst();
  return row ?? null;
}

/** `unknown_customer`: nobody's here. `another_is_live`: the account has one already, which stays. */
export type SubscriptionNoted =
  | { readonly outcome: 'noted' | 'unknown_customer' | 'over_before' }
  | { readonly outcome: 'another_is_live'; readonly subscriptionId: string };

/** Notes what Stripe says of a subscription. */
export async function noteSubscription(
  db: Db,
  state: SubscriptionState,
  now: Date,
): Promise<SubscriptionNoted> {
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
    updated_at: now,
  };
  await tx
    .insertInto('subscriptions')
    .values({ account_id: accountId, ...values })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(values))
    .execute();
}
