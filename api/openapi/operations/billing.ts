import {
  billingStatusShape,
  checkoutSchema,
  packCheckoutShape,
  paymentEventSchema,
  portalSchema,
  portalShape,
  subscriptionCheckoutShape,
  subscriptionSchema,
  webhookAnswerShape,
} from '../../../contract/billing.js';
import { signatureHeader } from '../../../contract/parameters.js';
import { noPlanExample, subscribedExample, waysBackExample } from '../examples/accounts.js';
import type { Operation } from '../operation.js';

export const billingOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/billing/status',
    operationId: 'getBillingStatus',
    tag: 'Billing',
    summary: 'Read plan and usage',
    description:
      'Returns the subscription of the account, its usage in this period, and the credits that the account owes.',
    costs: 'Nothing.',
    access: 'anyone',
    responses: [
      {
        status: 200,
        description: 'Plan, period and usage so far.',
        shape: billingStatusShape,
        examples: {
          subscribed: { summary: 'A subscription in use', value: subscribedExample },
          none: { summary: 'No subscription', value: noPlanExample },
        },
      },
    ],
  },
  {
    method: 'post',
    path: '/api/billing/checkout',
    operationId: 'buyCredits',
    tag: 'Billing',
    summary: 'Buy a pack of credits',
    description:
      'Opens a checkout at the payment provider. The credits are added when the provider reports the payment.',
    costs: 'The price of the pack, paid in the browser. Nothing until then.',
    access: 'anyone',
    body: {
      schema: checkoutSchema,
      required: true,
      examples: {
        starter: { summary: '500 credits', value: { pack_id: 'starter' } },
        with_ways_back: { summary: 'With return URLs', value: { pack_id: 'large', ...waysBackExample } },
      },
    },
    responses: [
      {
        status: 201,
        description: 'The checkout to open in a browser.',
        shape: packCheckoutShape,
        examples: {
          opened: {
            summary: 'A checkout',
            value: {
              checkout_id: '5b1f6a5e-0a54-4c5a-9a73-7d7a1f6f7b0e',
              session_id: 'cs_test_a1b2c3',
              url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3',
            },
          },
        },
      },
    ],
    problems: ['account_suspended', 'payments_not_configured'],
  },
  {
    method: 'post',
    path: '/api/billing/subscription',
    operationId: 'subscribe',
    tag: 'Billing',
    summary: 'Subscribe',
    description:
      'Opens a checkout for the metered subscription. With a subscription, reports bought with an API key take no credits. If the account already has a subscription, its status is returned and no second one is created.',
    costs:
      '3.00 USD per fresh report and 1.50 USD per cached report, billed monthly. Failed runs are never billed.',
    access: 'session',
    body: {
      schema: subscriptionSchema,
      required: false,
      examples: { with_ways_back: { summary: 'With return URLs', value: waysBackExample } },
    },
    responses: [
      {
        status: 200,
        description: 'The account already has a subscription.',
        shape: billingStatusShape,
        examples: { subscribed: { summary: 'The existing subscription', value: subscribedExample } },
      },
      {
        status: 201,
        description: 'The checkout to open in a browser.',
        shape: subscriptionCheckoutShape,
        examples: {
          opened: {
            summary: 'A checkout',
            value: {
              session_id: 'cs_test_d4e5f6',
              url: 'https://checkout.stripe.com/c/pay/cs_test_d4e5f6',
            },
          },
        },
      },
    ],
    problems: ['account_suspended', 'payments_not_configured'],
  },
  {
    method: 'post',
    path: '/api/billing/portal',
    operationId: 'openBillingPortal',
    tag: 'Billing',
    summary: 'Open the billing portal',
    description:
      'Opens the page of the payment provider on which a subscriber pays open invoices, changes the payment method or reads invoices.',
    costs: 'Nothing.',
    access: 'session',
    needs: 'A subscription, now or in the past.',
    body: {
      schema: portalSchema,
      required: false,
      examples: {
        with_way_back: { summary: 'With a return URL', value: { return_url: 'https://example.com/account' } },
      },
    },
    responses: [
      {
        status: 201,
        description: 'The portal to open in a browser.',
        shape: portalShape,
        examples: {
          opened: { summary: 'A portal', value: { url: 'https://billing.stripe.com/p/session/test_a1b2c3' } },
        },
      },
    ],
    problems: ['not_found', 'payments_not_configured'],
  },
  {
    method: 'delete',
    path: '/api/billing/subscription',
    operationId: 'unsubscribe',
    tag: 'Billing',
    summary: 'Cancel the subscription',
    description:
      'Cancels the subscription at the end of the billing period. Usage until then is still billed.',
    costs: 'Nothing.',
    access: 'session',
    needs: 'A subscription.',
    responses: [
      {
        status: 200,
        description: 'The updated status.',
        shape: billingStatusShape,
        examples: {
          ending: {
            summary: 'Cancelled at the end of the period',
            value: { ...subscribedExample, cancel_at_period_end: true },
          },
        },
      },
    ],
    problems: ['not_found', 'payments_not_configured'],
  },
  {
    method: 'post',
    path: '/api/billing/webhook',
    operationId: 'receivePaymentEvent',
    tag: 'Billing',
    summary: 'Receive a payment event',
    description:
      'For the payment provider only: payments, refunds, disputes and changes of subscriptions. Events can arrive several times and in any order. Any status but 200 asks the provider to resend the event.',
    costs: 'Nothing.',
    access: 'public',
    needs: 'The signature of the payment provider.',
    throttled: false,
    parameters: [
      {
        in: 'header',
        schema: signatureHeader,
        examples: { 'Stripe-Signature': 't=1795253179,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff' },
      },
    ],
    body: {
      schema: paymentEventSchema,
      required: true,
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
    responses: [
      {
        status: 200,
        description: 'The event was processed.',
        shape: webhookAnswerShape,
        examples: { received: { summary: 'Received', value: { received: true } } },
      },
    ],
    problems: ['unavailable', 'payments_not_configured'],
  },
];
