import { z } from 'zod';
import { packIds } from '../council/purchase/billing.js';
import { count, credits, timestampOrNull, webAddress } from './parts.js';

const waysBack = {
  success_url: webAddress
    .optional()
    .describe('Where the browser goes after paying. Unless given, a page of this service.'),
  cancel_url: webAddress
    .optional()
    .describe('Where the browser goes otherwise. Unless given, a page of this service.'),
};

export const checkoutSchema = z.strictObject({
  pack_id: z.enum(packIds).describe('As the list of packs names it.'),
  ...waysBack,
});
export const subscriptionSchema = z.strictObject(waysBack).prefault({});

/** Where the caller goes to pay. */
const checkoutFields = {
  session_id: z.string().describe('The session at the payment provider.'),
  url: z.url().describe('Where to pay, in a browser.'),
};
export const packCheckoutShape = z.object({ checkout_id: z.string(), ...checkoutFields });
export const subscriptionCheckoutShape = z.object(checkoutFields);

export const billingStatusShape = z.object({
  plan: z.enum(['none', 'subscription']),
  status: z.string().nullable().describe('Of the last subscription, in the words of the payment provider.'),
  period_start: timestampOrNull,
  period_end: timestampOrNull,
  cancel_at_period_end: z.boolean(),
  usage: z
    .object({ fresh_reports: count, cached_reports: count, amount_usd_cents: count })
    .describe('Of the period. Only delivered reports are metered.'),
  owed_credits: credits.describe(
    'Credits of a refunded payment that were spent already: the next ones settle them.',
  ),
  payments_configured: z.boolean(),
});

/** An event of the payment provider, as its own documentation describes it. It is believed by its signature alone. */
export const paymentEventSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({}),
});
/** What such an event is answered with. */
export const webhookAnswerShape = z.object({ received: z.literal(true) });

export type BillingStatusView = z.infer<typeof billingStatusShape>;
