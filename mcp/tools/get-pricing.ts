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
    'Use it when the user asks what reports cost in general. Before buying use check_report instead: it returns what this ' +
    'account pays for this event, which can be 0.\n' +
    'Free, needs no API key, changes nothing. Prices follow real costs in small steps: never reuse an old one.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: pricingShape,
  run: (_input, { api }) => api.readPricing(),
  describe: ({ fresh_credits, cached_credits, byok_credits }) =>
    `A fresh report costs ${fresh_credits} credits now, a cached report (run today for another account) ${cached_credits}, and ` +
    `one on the caller’s own model keys ${byok_credits}. A subscription is billed ${usd(subscriptionFreshUsdCents)} or ` +
    `${usd(subscriptionCachedUsdCents)} USD instead. An owned report is free, and every account has one free fresh report a ` +
    'week. A credit costs 0.010 to 0.014 USD. For the price of an event for this account, call check_report.',
});

function usd(cents: number): string {
  return (cents / 100).toFixed(2);
}
