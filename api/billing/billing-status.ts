import type { BillingStatusView } from '../../contract/billing.js';
import { owedCredits } from '../../db/billing/checkouts.js';
import { findActiveSubscription, findSubscription } from '../../db/billing/subscriptions.js';
import { type UsageTotals, usageOf } from '../../db/billing/usage.js';
import type { ApiContext } from '../context.js';

const noUsage: UsageTotals = { freshReports: 0, cachedReports: 0, usdCents: 0 };

/** What an account has subscribed to, what it has used of it in this period, and what it owes. */
export async function billingStatus(
  { db, now, payments }: Pick<ApiContext, 'db' | 'now' | 'payments'>,
  accountId: string,
): Promise<BillingStatusView> {
  const last = await findSubscription(db, accountId);
  const active = await findActiveSubscription(db, accountId, now());
  const usage = last === null ? noUsage : await usageOf(db, accountId, last.periodStart, last.periodEnd);
  return {
    plan: active === null ? 'none' : 'subscription',
    status: last?.status ?? null,
    period_start: last?.periodStart.toISOString() ?? null,
    period_end: last?.periodEnd.toISOString() ?? null,
    cancel_at_period_end: last?.cancelAtPeriodEnd ?? false,
    usage: {
      fresh_reports: usage.freshReports,
      cached_reports: usage.cachedReports,
      amount_usd_cents: usage.usdCents,
    },
    owed_credits: await owedCredits(db, accountId),
    payments_configured: payments !== null,
  };
}
