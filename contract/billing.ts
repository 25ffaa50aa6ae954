import { z } from 'zod';
import { packId } from './credits.js';
import type { Operation } from './operation.js';
import { signatureHeader } from './parameters.js';
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

const checkoutSchema = z
  .strictObject({
    pack_id: packId.describe('Identifier of the pack, as listed by `GET /api/credits/packs`.'),
    ...redirectUrls,
  })
  .meta({ id: 'Checkout' });
const subscriptionSchema = z.strictObject(redirectUrls).prefault({}).meta({ id: 'Subscription' });

const portalSchema = z
  .strictObject({
    return_url: webAddress
      .optional()
      .describe('The page that the portal links back to. Defaults to a page of this service.'),
  })
  .prefault({})
  .meta({ id: 'PortalRequest' });

const checkoutFields = {
  session_id: z.string().describe('Identifier of the checkout session at the payment provider.'),
  url: z.url().describe('The payment page. Open it in a browser.'),
};
const packCheckoutShape = z
  .object({ checkout_id: z.string(), ...checkoutFields })
  .meta({ id: 'PackCheckout' });
const subscriptionCheckoutShape = z.object(checkoutFields).meta({ id: 'SubscriptionCheckout' });

const portalShape = z
  .object({
    url: z.url().describe('The billing portal. Open it in a browser, soon: the address expires.'),
  })
  .meta({ id: 'BillingPortal' });

export const billingStatusShape = z
  .object({
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
  })
  .meta({ id: 'BillingStatus' });

/** An event of the payment provider, as its documentation describes it. Trusted only by its signature. */
const paymentEventSchema = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    data: z.looseObject({}),
  })
  .meta({ id: 'PaymentEvent' });
const webhookAnswerShape = z.object({ received: z.literal(true) }).meta({ id: 'WebhookAnswer' });

export type BillingStatusView = z.infer<typeof billingStatusShape>;

export const billingOperations = {
  getBillingStatus: {
    method: 'get',
    path: '/api/billing/status',
    tag: 'Billing',
    access: 'anyone',
    summary: 'Read plan and usage',
    description:
      'Returns the subscription of the account, its usage in this period, and the credits that the account owes.',
    answers: {
      200: {
        description: 'Plan, period and usage so far.',
        schema: billingStatusShape,
        examples: { subscribed: 'A subscription in use', none: 'No subscription' },
      },
    },
  },
  buyCredits: {
    method: 'post',
    path: '/api/billing/checkout',
    tag: 'Billing',
    access: 'anyone',
    scope: 'spend',
    summary: 'Buy a pack of credits',
    description:
      'Opens a checkout at the payment provider. The credits are added when the provider reports the payment.',
    costs: 'The price of the pack, paid in the browser. Nothing until then.',
    body: {
      schema: checkoutSchema,
      examples: {
        starter: { summary: '500 credits', value: { pack_id: 'starter' } },
        with_ways_back: {
          summary: 'With return URLs',
          value: {
            pack_id: 'large',
            success_url: 'https://example.com/paid',
            cancel_url: 'https://example.com/not-paid',
          },
        },
      },
    },
    answers: {
      201: {
        description: 'The checkout to open in a browser.',
        schema: packCheckoutShape,
        examples: { opened: 'A checkout' },
      },
    },
    problems: ['account_suspended', 'payments_not_configured'],
  },
  subscribe: {
    method: 'post',
    path: '/api/billing/subscription',
    tag: 'Billing',
    access: 'session',
    summary: 'Subscribe',
    description:
      'Opens a checkout for the metered subscription. With a subscription, reports bought with an API key take no credits. If the account already has a subscription, its status is returned and no second one is created.',
    costs:
      '3.00 USD per fresh report and 1.50 USD per cached report, billed monthly. Failed runs are never billed.',
    body: {
      schema: subscriptionSchema,
      required: false,
      examples: {
        with_ways_back: {
          summary: 'With return URLs',
          value: { success_url: 'https://example.com/paid', cancel_url: 'https://example.com/not-paid' },
        },
      },
    },
    answers: {
      200: {
        description: 'The account already has a subscription.',
        schema: billingStatusShape,
        examples: { subscribed: 'The existing subscription' },
      },
      201: {
        description: 'The checkout to open in a browser.',
        schema: subscriptionCheckoutShape,
        examples: { opened: 'A checkout' },
      },
    },
    problems: ['account_suspended', 'payments_not_configured'],
  },
  openBillingPortal: {
    method: 'post',
    path: '/api/billing/portal',
    tag: 'Billing',
    access: 'session',
    summary: 'Open the billing portal',
    description:
      'Opens the page of the payment provider on which a subscriber pays open invoices, changes the payment method or reads invoices.',
    needs: 'A subscription, now or in the past.',
    body: {
      schema: portalSchema,
      required: false,
      examples: {
        with_way_back: { summary: 'With a return URL', value: { return_url: 'https://example.com/account' } },
      },
    },
    answers: {
      201: {
        description: 'The portal to open in a browser.',
        schema: portalShape,
        examples: { opened: 'A portal' },
      },
    },
    problems: ['not_found', 'payments_not_configured'],
  },
  unsubscribe: {
    method: 'delete',
    path: '/api/billing/subscription',
    tag: 'Billing',
    access: 'session',
    summary: 'Cancel the subscription',
    description:
      'Cancels the subscription at the end of the billing period. Usage until then is still billed.',
    needs: 'A subscription.',
    answers: {
      200: {
        description: 'The updated status.',
        schema: billingStatusShape,
        examples: { ending: 'Cancelled at the end of the period' },
      },
    },
    problems: ['not_found', 'payments_not_configured'],
  },
  receivePaymentEvent: {
    method: 'post',
    path: '/api/billing/webhook',
    tag: 'Billing',
    access: 'public',
    summary: 'Receive a payment event',
    description:
      'For the payment provider only: payments, refunds, disputes and changes of subscriptions. Events can arrive several times and in any order. Any status but 200 asks the provider to resend the event. A burst of events is never refused: this is the one route without `RateLimit`.',
    needs: 'The signature of the payment provider.',
    throttled: false,
    headers: signatureHeader,
    examples: { 'Stripe-Signature': 't=1795253179,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff' },
    body: {
      schema: paymentEventSchema,
      examples: {
        paid: {
          summary: 'A checkout was paid',
          value: {
            id: 'evt_1',
            object: 'event',
            type: 'checkout.session.completed',
            data: { object: { id: 'cs_test_a1b2c3', object: 'checkout.session', payment_status: 'paid' } },
          },
        },
      },
    },
    answers: {
      200: {
        description: 'The event was processed.',
        schema: webhookAnswerShape,
        examples: { received: 'Received' },
      },
    },
    problems: ['unavailable', 'payments_not_configured'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
