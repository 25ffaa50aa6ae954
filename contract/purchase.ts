import { z } from 'zod';
import { quotedCreditsMax } from '../council/limits.js';
import { laneParameter } from './parameters.js';
import { credits, lane, pool, reportId, reportStatus } from './parts.js';

/** `POST /api/reports`: which event, at what price at most, and how it is paid. */
export const wishSchema = z.strictObject({
  event_id: z.string().min(1, 'must not be empty').max(200),
  quoted_credits: z.int().min(0).max(quotedCreditsMax).optional(),
  lane: laneParameter,
});

export const receiptShape = z.object({
  report_id: reportId,
  status: reportStatus,
  cached: z.boolean(),
  credits_spent: credits,
  lane,
  pool: pool.nullable(),
});

export const checkParameters = z.object({ lane: laneParameter });

export const pricingShape = z.object({
  fresh_credits: credits,
  cached_credits: credits,
  byok_credits: credits,
});

export const checkShape = z.object({
  has_cached_report: z.boolean(),
  already_purchased: z.boolean(),
  report_id: reportId.optional(),
  cost_credits: credits,
  lane,
  pool: pool.nullable(),
  pricing: pricingShape,
});

export type ReceiptView = z.infer<typeof receiptShape>;
export type CheckView = z.infer<typeof checkShape>;
export type PricingView = z.infer<typeof pricingShape>;
