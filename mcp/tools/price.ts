import type { CheckView } from '../../contract/purchase.js';
import { subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../council/limits.js';

/** What the subscription would be billed for a report, in cents; 0 on the other lanes and for a report that is owned. */
export function meteredUsdCents(check: CheckView): number {
  if (check.lane !== 'subscription' || check.already_purchased) return 0;
  return check.has_cached_report ? subscriptionCachedUsdCents : subscriptionFreshUsdCents;
}

/** The price as it is told to a user. */
export function priceInWords(check: CheckView): string {
  const cents = meteredUsdCents(check);
  if (cents > 0) return `${(cents / 100).toFixed(2)} USD, billed to the subscription`;
  if (check.pool === 'weekly_grant' && !check.already_purchased) {
    return `nothing but this week’s free report (worth ${check.cost_credits} credits)`;
  }
  return check.cost_credits === 0 ? 'nothing' : `${check.cost_credits} credits`;
}
