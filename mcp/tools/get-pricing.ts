import { z } from 'zod';
import { formatUsd } from '../../contract/callers/price-text.js';
import { count } from '../../contract/parts.js';
import { pricingShape } from '../../contract/purchase.js';
import { subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../purchase/limits.js';
import { defineTool } from './tool.js';

export const getPricing = defineTool({
  name: 'get_pricing',
  title: 'Read the current prices',
  description:
    'Reads the list prices of a report in credits: fresh_credits (a new council run), cached_credits (another account’s run ' +
    'of the same event and UTC day, half the price), byok_credits (a run on the caller’s own model keys); and what a ' +
    'subscription is billed instead, in US cents.\n' +
    'Use it when the user asks what reports cost in general. Before buying use check_report instead: it returns what this ' +
    'account pays for this event, which can be 0.\n' +
    'Free, needs no API key, changes nothing. Prices follow real costs in small steps: never reuse an old one.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: pricingShape.extend({
    subscription_fresh_usd_cents: count,
    subscription_cached_usd_cents: count,
  }),
  run: async (_input, { api }) => ({
    ...(await api.request('GET /api/credits/pricing')),
    subscription_fresh_usd_cents: subscriptionFreshUsdCents,
    subscription_cached_usd_cents: subscriptionCachedUsdCents,
  }),
  describe: ({ fresh_credits, cached_credits, byok_credits }) =>
    `A fresh report costs ${fresh_credits} credits now, a cached report (run today for another account) ${cached_credits}, and ` +
    `one on the caller’s own model keys ${byok_credits}. A subscription is billed ${formatUsd(subscriptionFreshUsdCents)} or ` +
    `${formatUsd(subscriptionCachedUsdCents)} instead. An owned report is free, and every account has one free fresh report a ` +
    'week. A credit costs 0.010 to 0.014 USD. For the price of an event for this account, call check_report.',
});
