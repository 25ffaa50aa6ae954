import type { Db } from '../../../db/database.js';

/**
 * Gives an account a subscription that has begun and will not end, or its own another status.
 * @returns its customer's id.
 */
export async function subscribe(db: Db, accountId: string, status = 'active'): Promise<string> {
  const customerId = `cus_${accountId}`;
  const begun = new Date('2000-01-01T00:00:00Z');
  await db
    .insertInto('billing_customers')
    .values({ account_id: accountId, stripe_customer_id: customerId, created_at: begun })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  await db
    .insertInto('subscriptions')
    .values({
      account_id: accountId,
      stripe_subscription_id: `sub_${accountId}`,
      status,
      period_start: begun,
      period_end: new Date('2100-01-01T00:00:00Z'),
      cancel_at_period_end: false,
      updated_at: begun,
    })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet({ status }))
    .execute();
  return customerId;
}
