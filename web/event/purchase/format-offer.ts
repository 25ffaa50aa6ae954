import { isCached } from '../../../contract/callers/price-text.js';
import { waitText } from '../../../contract/callers/wait-text.js';
import { keyVendors } from '../../../contract/product.js';
import type { CheckView } from '../../../contract/purchase.js';
import { vendorNames } from '../../account/keys/format-provider-keys.js';
import { creditsText, dollars } from '../../shared/format.js';

export type OfferedLane = CheckView['lane'];

export const laneNames: Readonly<Record<OfferedLane, string>> = {
  credits: 'Credits',
  subscription: 'Subscription',
  byok: 'Your own provider keys',
};

/** The price in dollars on a subscription, otherwise in credits. */
export function priceOf(check: CheckView): string {
  return check.price_usd_cents === undefined
    ? creditsText(check.cost_credits)
    : dollars(check.price_usd_cents / 100);
}

/** What the purchase is paid from. */
export function paymentText(check: CheckView): string {
  if (check.lane === 'subscription') return 'Added to your next bill once the report is delivered.';
  if (check.pool === 'weekly_grant') return 'Fully paid by your free report of this week.';
  return check.lane === 'byok'
    ? 'From your purchased credits. The models run only on your keys.'
    : 'From your purchased credits.';
}

/** Label of the purchase button: the action and its price. */
export function buttonText(check: CheckView): string {
  const action = isCached(check) ? 'Get the report' : 'Run a report';
  const grant = check.pool === 'weekly_grant' ? ' of your weekly grant' : '';
  return `${action} · ${priceOf(check)}${grant}`;
}

/** Credits missing from the balance; 0 if it covers the price. */
export function missingCredits({ pool, cost_credits: cost }: CheckView, balanceCredits: number): number {
  return pool === 'purchased' ? Math.max(0, cost - balanceCredits) : 0;
}

/** What has to be set up before a lane can be used. @param missing as listed by the API */
export function missingSetupText(lane: OfferedLane, missing: readonly string[]): string {
  if (lane !== 'byok') return 'You have no subscription.';
  const names = keyVendors.filter(vendor => missing.includes(vendor)).map(vendor => vendorNames[vendor].name);
  return `Missing: ${names.join(', ')}. One OpenRouter key works for all.`;
}

/** Why nothing is offered on a lane whose models the service pays for. */
export function houseLimitText(reopensInSeconds: number): string {
  return `No more fresh reports today. You can run one again ${waitText(reopensInSeconds)}.`;
}
