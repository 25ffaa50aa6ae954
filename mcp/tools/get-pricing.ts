import { z } from 'zod';
import { pricingShape } from '../../contract/purchase.js';
import { subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../council/limits.js';
import { defineTool } from './tool.js';

export const getPricing = defineTool({
  name: 'get_pricing',
  title: 'Read the current prices',
  description:
    'Reads the list prices of a report in credits: fresh_credits (a new council run), cached_credits (another account’s run ' +
    'of the same event and UTC day, half the price), byok_credits (a run on the caller’s own model keys).\n' +
    'Use it when the user asks what reports cost in general. Before buying use check_report instead: it says what this ' +
    'account pays for this event, and may be 0.\n' +
    'Free, needs no API key, changes nothing. Prices follow real costs in small steps: never reuse an old one.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: pricingShape,
  run: (_asked, { api }) => api.readPricing(),
  tell: ({ fresh_credits, cached_credits, byok_credits }) =>
    `A fresh report costs ${fresh_credits} credits now, one that was made for somebody else today ${cached_credits}, one on the ` +
    `caller’s own model keys ${byok_credits}. On a subscription ${usd(subscriptionFreshUsdCents)} or ` +
    `${usd(subscriptionCachedUsdCents)} USD are metered instead. A report you own is free, and every account has one fresh ` +
    'report a week free. A credit costs 0.010 to 0.014 USD. What this account would pay for an event: check_report.',
});

function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}
