import { z } from 'zod';
import { quotedCreditsMax, quotedUsdCentsMax } from '../purchase/limits.js';
import { laneParameter } from './parameters.js';
import { count, credits, lane, pool, reportId, reportStatus, text } from './parts.js';

/** Body of `POST /api/reports`. */
export const purchaseRequestSchema = z.strictObject({
  event_id: text(200)
    .min(1, 'must not be empty')
    .describe('Identifier of the event, or its slug at the market platform.'),
  quoted_credits: z
    .int()
    .min(0)
    .max(quotedCreditsMax)
    .optional()
    .describe(
      'The price that you were quoted. If the current price is within 15 % of it, you are charged the lower of the two; otherwise the request fails with `quote_expired`. Without a quote, you are charged the current price.',
    ),
  quoted_usd_cents: z
    .int()
    .min(0)
    .max(quotedUsdCentsMax)
    .optional()
    .describe(
      'The price on the lane `subscription` that you were quoted, in US cents. A lower price is billed as it is; for a higher one the request fails with `quote_expired`. Other lanes bill no dollars and ignore it.',
    ),
  quoted_pool: pool
    .optional()
    .describe(
      'The pool that the price check named. With `weekly_grant`, the request fails with `quote_expired` if purchased credits would pay instead. With `purchased`, purchased credits also pay on a day on which the service gives no more free reports.',
    ),
  lane: laneParameter,
});

export const receiptShape = z.object({
  report_id: reportId,
  status: reportStatus,
  cached: z
    .boolean()
    .describe('True if the report already existed, because another account bought it on the same UTC day.'),
  credits_spent: credits.describe('0 for a report that you already own and on the subscription lane.'),
  price_usd_cents: count
    .optional()
    .describe(
      'On the lane `subscription`: what is billed when the report is completed, in US cents. 0 for a report that you already own.',
    ),
  lane,
  pool: pool.nullable().describe('The credits that were charged; null on the subscription lane.'),
});

export const checkParameters = z.object({ lane: laneParameter });

export const pricingShape = z.object({
  fresh_credits: credits.describe(
    'Current price of a fresh report. It follows the actual cost of runs, so do not hard-code it.',
  ),
  cached_credits: credits.describe(
    'Price of a report that another account bought on the same UTC day: half of `fresh_credits`, rounded up.',
  ),
  byok_credits: credits.describe('Price of a fresh report that uses your own provider keys.'),
});

export const checkShape = z.object({
  has_cached_report: z
    .boolean()
    .describe('True if any account’s report on this event was completed on the current UTC day.'),
  already_purchased: z
    .boolean()
    .describe(
      'True if you already own a report on this event from the current UTC day. Buying it again is free.',
    ),
  report_id: reportId
    .optional()
    .describe('Identifier of the report that you own. Present only if `already_purchased`.'),
  cost_credits: credits.describe(
    'Your current price on this lane. Send it as `quoted_credits`. 0 on the lane `subscription`, which bills dollars.',
  ),
  price_usd_cents: count
    .optional()
    .describe(
      'On the lane `subscription`: what would be billed, in US cents; 0 for a report that you own. Send it as `quoted_usd_cents`.',
    ),
  lane,
  pool: pool
    .nullable()
    .describe(
      'The credits that would be charged; null if none would. Send it as `quoted_pool` when you buy.',
    ),
  pricing: pricingShape,
});

export type PurchaseBody = z.infer<typeof purchaseRequestSchema>;
export type ReceiptView = z.infer<typeof receiptShape>;
export type CheckView = z.infer<typeof checkShape>;
export type PricingView = z.infer<typeof pricingShape>;
