import {
  keyVendors,
  subscriptionCachedUsdCents,
  subscriptionFreshUsdCents,
} from '../../../contract/product.js';
import type { CheckView } from '../../../contract/purchase.js';
import { vendorNames } from '../../account/keys/format-provider-keys.js';
import { credits, dollars } from '../../shared/format.js';

export type Lane = CheckView['lane'];

export const laneNames: Readonly<Record<Lane, string>> = {
  credits: 'Credits',
  subscription: 'Subscription',
  byok: 'Your own provider keys',
};

/** What it costs: on the bill of a subscription, else in credits. */
export function priceOf(check: CheckView): string {
  if (check.lane !== 'subscription') return credits(check.cost_credits);
  return dollars((isCached(check) ? subscriptionCachedUsdCents : subscriptionFreshUsdCents) / 100);
}

/** Where that comes from. */
export function sourceOf(check: CheckView): string {
  if (check.lane === 'subscription') return 'Goes on your next bill, once the report is delivered.';
  if (check.pool === 'weekly_grant') return 'Your free report of this week pays for it whole.';
  return check.lane === 'byok'
    ? 'From your purchased credits; the models are paid by your keys, and never by the house’s.'
    : 'From your purchased credits.';
}

/** Whether it is there already: bought at half the price, and not run again. */
export function isCached(check: CheckView): boolean {
  return check.has_cached_report && !check.already_purchased;
}

/** What the button says it does, and what that costs. */
export function buttonText(check: CheckView): string {
  const does = isCached(check) ? 'Get the report' : 'Run the council';
  const grant = check.pool === 'weekly_grant' ? ' of your weekly grant' : '';
  return `${does} · ${priceOf(check)}${grant}`;
}

/** How many credits are missing; 0 where it can be paid. */
export function shortOf({ pool, cost_credits: cost }: CheckView, balanceCredits: number): number {
  return pool === 'purchased' ? Math.max(0, cost - balanceCredits) : 0;
}

/** What a lane cannot be used without, as the API lists it in `missing`. */
export function gapOf(lane: Lane, missing: readonly string[]): string {
  if (lane !== 'byok') return 'You have no subscription.';
  const names = keyVendors.filter(vendor => missing.includes(vendor)).map(vendor => vendorNames[vendor].name);
  return `Missing: ${names.join(', ')}. One key of OpenRouter does for all.`;
}

const secondsPerMinute = 60;

/** How long until something may be tried again. */
export function waitText(seconds: number): string {
  if (seconds < secondsPerMinute) return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.ceil(seconds / secondsPerMinute);
  return `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
