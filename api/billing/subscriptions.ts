import type { BillingStatusView } from '../../contract/billing.js';
import { readOwedCredits } from '../../db/billing/reverse-purchase.js';
import {
  findActiveSubscription,
  findCustomer,
  findSubscription,
  findSubscriptionObstacle,
  saveCustomer,
} from '../../db/billing/subscriptions.js';
import { sumUsage, type UsageTotals } from '../../db/billing/usage.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { isLive, isPaying, isStale, type SubscriptionState } from '../../purchase/billing.js';
import type { ApiContext } from '../context.js';
import { followSubscription } from './follow-payments.js';

const noUsage: UsageTotals = { freshReports: 0, cachedReports: 0, usdCents: 0 };

/** The subscription of an account, its usage in this period, and what the account owes. */
export async function readBillingStatus(
  { db, now, payments }: Pick<ApiContext, 'db' | 'now' | 'payments'>,
  accountId: string,
): Promise<BillingStatusView> {
  const last = await findSubscription(db, accountId);
  const isPaid = last !== null && isPaying(last, now());
  const obstacle = last === null ? null : await findSubscriptionObstacle(db, accountId, now());
  const usage = last === null ? noUsage : await sumUsage(db, accountId, last.periodStart, last.periodEnd);
  return {
    plan: isPaid ? 'subscription' : 'none',
    status: last?.status ?? null,
    next_step: obstacle?.nextStep ?? null,
    period_start: last?.periodStart.toISOString() ?? null,
    period_end: last?.periodEnd.toISOString() ?? null,
    cancel_at_period_end: last?.cancelAtPeriodEnd ?? false,
    usage: {
      fresh_reports: usage.freshReports,
      cached_reports: usage.cachedReports,
      amount_usd_cents: usage.usdCents,
    },
    owed_credits: await readOwedCredits(db, accountId),
    payments_configured: payments !== null,
  };
}

/**
 * Whether the subscription pays for reports now. A state that is older than its period is read again, because its
 * renewal may not have arrived, and credits must not be taken instead.
 * @throws PaymentsUnavailable if the state has to be read and Stripe does not answer
 */
export async function readPayingSubscription(
  context: Pick<ApiContext, 'db' | 'now' | 'log' | 'payments'>,
  accountId: string,
): Promise<boolean> {
  const { db, now, payments } = context;
  const stored = await findSubscription(db, accountId);
  if (stored === null) return false;
  if (isPaying(stored, now())) return true;
  if (payments === null || !isStale(stored, now())) return false;
  await followSubscription(context, payments, stored.subscriptionId);
  return (await findActiveSubscription(db, accountId, now())) !== null;
}

/** Reads the state from Stripe, because an event that changes it can still be on its way. */
export async function findLiveSubscription(
  context: ApiContext,
  payments: PaymentGateway,
  accountId: string,
): Promise<SubscriptionState | null> {
  const stored = await findSubscription(context.db, accountId);
  if (stored === null || !isLive(stored)) return null;
  await followSubscription(context, payments, stored.subscriptionId);
  const current = await findSubscription(context.db, accountId);
  return current !== null && isLive(current) ? current : null;
}

/** The Stripe customer of an account, created on first use. */
export async function customerOf(
  { db, now }: ApiContext,
  payments: PaymentGateway,
  accountId: string,
): Promise<string> {
  const existing = await findCustomer(db, accountId);
  if (existing !== null) return existing;
  const customerId = await payments.createCustomer(accountId, now());
  return saveCustomer(db, { accountId, customerId, now: now() });
}
