import { z } from 'zod';
import { quotedCreditsMax } from '../council/limits.js';
import { laneParameter } from './parameters.js';
import { credits, lane, pool, reportId, reportStatus, text } from './parts.js';

/** `POST /api/reports`: which event, at what price at most, and how it is paid. */
export const purchaseRequestSchema = z.strictObject({
  event_id: text(200).min(1, 'must not be empty').describe('The event to put before the council.'),
  quoted_credits: z
    .int()
    .min(0)
    .max(quotedCreditsMax)
    .optional()
    .describe(
      'What the caller was told it costs. Honoured while the price is within 15 % of it, at the lesser of the two; beyond that the answer is `quote_expired`. Without it, the report is bought at whatever it costs now.',
    ),
  lane: laneParameter,
});

export const receiptShape = z.object({
  report_id: reportId,
  status: reportStatus,
  cached: z.boolean().describe('The report was there already: somebody had bought it the same UTC day.'),
  credits_spent: credits.describe('0 for a report that is owned, and on the subscription lane.'),
  lane,
  pool: pool.nullable().describe('Whose credits were taken; null on the subscription lane.'),
});

export const checkParameters = z.object({ lane: laneParameter });

export const pricingShape = z.object({
  fresh_credits: credits.describe(
    'A fresh report now. Moves with what runs really cost: read it, never hardcode it.',
  ),
  cached_credits: credits.describe('A report that somebody has bought the same UTC day: half, rounded up.'),
  byok_credits: credits.describe('A fresh report run with your own provider keys.'),
});

export const checkShape = z.object({
  has_cached_report: z
    .boolean()
    .describe('A report on this event was finished the same UTC day, by anybody.'),
  already_purchased: z.boolean().describe('The caller owns one of today, which costs nothing.'),
  report_id: reportId.optional().describe('Only where `already_purchased`.'),
  cost_credits: credits.describe(
    'What it would cost this caller on this lane now: what to send as `quoted_credits`.',
  ),
  lane,
  pool: pool.nullable().describe('Whose credits would be taken; null where none would.'),
  pricing: pricingShape,
});

export type ReceiptView = z.infer<typeof receiptShape>;
export type CheckView = z.infer<typeof checkShape>;
export type PricingView = z.infer<typeof pricingShape>;
