import { z } from 'zod';
import { packIds } from '../council/packs.js';
import { count, credits, timestampOrNull } from './parts.js';

const urlMaxChars = 2_000;
const wayBack = z
  .url({ protocol: /^https?$/ })
  .max(urlMaxChars)
  .optional();
const waysBack = { success_url: wayBack, cancel_url: wayBack };

export const checkoutSchema = z.strictObject({ pack_id: z.enum(packIds), ...waysBack });
export const subscriptionSchema = z.strictObject(waysBack).prefault({});

/** Where the caller goes to pay. */
export const packCheckoutShape = z.object({ checkout_id: z.string(), session_id: z.string(), url: z.url() });
export const subscriptionCheckoutShape = z.object({ session_id: z.string(), url: z.url() });

export const billingStatusShape = z.object({
  plan: z.enum(['none', 'subscription']),
  status: z.string().nullable(),
  period_start: timestampOrNull,
  period_end: timestampOrNull,
  cancel_at_period_end: z.boolean(),
  usage: z.object({ fresh_reports: count, cached_reports: count, amount_usd_cents: count }),
  owed_credits: credits,
  payments_configured: z.boolean(),
});

export type BillingStatusView = z.infer<typeof billingStatusShape>;
