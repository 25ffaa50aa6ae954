import {
  billingStatusShape,
  checkoutSchema,
  packCheckoutShape,
  paymentEventSchema,
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
      'What the account has subscribed to, what it has used of it in this period, and what it owes.',
    costs: 'Nothing.',
    access: 'anyone',
    answers: [
      {
        status: 200,
        description: 'Plan, period, and usage so far.',
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
      'Opens a checkout at the payment provider. The credits are there once it has been paid, which the provider tells the service by itself.',
    costs: 'The price of the pack, paid in the browser; nothing until then.',
    access: 'anyone',
    body: {
      schema: checkoutSchema,
      required: true,
      examples: {
        starter: { summary: '500 credits', value: { pack_id: 'starter' } },
        with_ways_back: { summary: 'From a page of yours', value: { pack_id: 'large', ...waysBackExample } },
      },
    },
    answers: [
      {
        status: 201,
        description: 'Where to pay.',
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
    problems: ['payments_not_configured'],
  },
  {
    method: 'post',
    path: '/api/billing/subscription',
    operationId: 'subscribe',
    tag: 'Billing',
    summary: 'Take out the subscription',
    description:
      'Opens a checkout for the metered subscription. With it, reports bought with an API key take no credits. Who has one already gets it told, and not a second one.',
    costs:
      '3.00 USD for each fresh report and 1.50 USD for each cached one, billed monthly. Failed ones are never billed.',
    access: 'anyone',
    body: {
      schema: subscriptionSchema,
      required: false,
      examples: { with_ways_back: { summary: 'From a page of yours', value: waysBackExample } },
    },
    answers: [
      {
        status: 200,
        description: 'There is a subscription already.',
        shape: billingStatusShape,
        examples: { subscribed: { summary: 'The one there is', value: subscribedExample } },
      },
      {
        status: 201,
        description: 'Where to subscribe.',
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
    problems: ['payments_not_configured'],
  },
  {
    method: 'delete',
    path: '/api/billing/subscription',
    operationId: 'unsubscribe',
    tag: 'Billing',
    summary: 'Cancel the subscription',
    description: 'Ends it with the period that is paid for. What was used until then is still billed.',
    costs: 'Nothing.',
    access: 'anyone',
    needs: 'A subscription.',
    answers: [
      {
        status: 200,
        description: 'How it stands now.',
        shape: billingStatusShape,
        examples: {
          ending: {
            summary: 'It ends with the period',
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
    summary: 'Hear of a payment',
    description:
      'For the payment provider only: what was paid, refunded, disputed, subscribed to or cancelled. Each event may come any number of times and in any order. Anything but 200 asks for it to be sent again.',
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
    answers: [
      {
        status: 200,
        description: 'It is done with.',
        shape: webhookAnswerShape,
        examples: { received: { summary: 'Heard', value: { received: true } } },
      },
    ],
    problems: ['unavailable', 'payments_not_configured'],
  },
];
