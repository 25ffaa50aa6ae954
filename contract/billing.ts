import { z } from 'zod';
import { packId } from './credits.js';
import { count, owedCredits, timestampOrNull, webAddress } from './parts.js';

const redirectUrls = {
  success_url: webAddress
    .optional()
    .describe('The page that the browser returns to after payment. Defaults to a page of this service.'),
  cancel_url: webAddress
    .optional()
    .describe(
      'The page that the browser returns to if the payment is cancelled. Defaults to a page of this service.',
    ),
};

export const checkoutSchema = z.strictObject({
  pack_id: packId.describe('Identifier of the pack, as listed by `GET /api/credits/packs`.'),
  ...redirectUrls,
});
export const subscriptionSchema = z.strictObject(redirectUrls).prefault({});

export const portalSchema = z
  .strictObject({
    return_url: webAddress
      .optional()
      .describe('The page that the portal links back to. Defaults to a page of this service.'),
  })
  .prefault({});

const checkoutFields = {
  session_id: z.string().describe('Identifier of the checkout session at the payment provider.'),
  url: z.url().describe('The payment page. Open it in a browser.'),
};
export const packCheckoutShape = z.object({ checkout_id: z.string(), ...checkoutFields });
export const subscriptionCheckoutShape = z.object(checkoutFields);

export const portalShape = z.object({
  url: z.url().describe('The billing portal. Open it in a browser, soon: the address expires.'),
});

export const billingStatusShape = z.object({
  plan: z.enum(['none', 'subscription']),
  status: z
    .string()
    .nullable()
    .describe('Status of the latest subscription, as the payment provider names it.'),
  next_step: z
    .string()
    .nullable()
    .describe(
      'What to do so that the latest subscription pays for reports again. Null if it pays, or there is none.',
    ),
  period_start: timestampOrNull,
  period_end: timestampOrNull,
  cancel_at_period_end: z.boolean(),
  usage: z
    .object({ fresh_reports: count, cached_reports: count, amount_usd_cents: count })
    .describe('Usage in the current period. Only delivered reports are metered.'),
  owed_credits: owedCredits,
  payments_configured: z.boolean(),
});

/** An event of the payment provider, as its documentation describes it. Trusted only by its signature. */
export const paymentEventSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({}),
});
export const webhookAnswerShape = z.object({ received: z.literal(true) });

export type BillingStatusView = z.infer<typeof billingStatusShape>;
