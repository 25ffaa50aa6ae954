import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { usageMeterName } from '../../payments/find-usage-price.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { createStripeClient } from '../../payments/stripe-client.js';
import { createStripeGateway } from '../../payments/stripe-gateway.js';
import { packs } from '../../purchase/billing.js';
import { type StripeMock, startStripeMock, whyNoStripeMock } from '../support/stripe/stripe-mock.js';

/**
 * Holds each request of the adapter against Stripe's own OpenAPI document: unknown, missing and malformed
 * parameters are refused. The answers are fixtures, so what the adapter makes of them is not tested here.
 */
const unavailable = await whyNoStripeMock();
const suite = unavailable === null ? describe : describe.skip;
const buildMaxMs = 11 * 60_000;

let stripe: StripeMock;
let gateway: PaymentGateway;

const back = { successUrl: 'https://a.test/ok', cancelUrl: 'https://a.test/no' };
const pack = { checkoutId: '5b1f6a5e', accountId: '9a737d7a', pack: packs.starter, ...back };
const usage = { identifier: '5b1f6a5e', customerId: 'cus_1', valueUsdCents: 300, occurredAt: new Date() };

const day = { customerId: 'cus_1', from: new Date('2026-11-20'), to: new Date('2026-11-21') };

/** Every method of the gateway, with each form of its arguments. */
const calls: Readonly<Record<keyof PaymentGateway, (() => unknown)[]>> = {
  checkAccess: [() => gateway.checkAccess()],
  createCustomer: [() => gateway.createCustomer('9a737d7a', new Date())],
  createPackCheckout: [
    () => gateway.createPackCheckout({ ...pack, customerId: null }),
    () => gateway.createPackCheckout({ ...pack, customerId: 'cus_1' }),
  ],
  readCheckout: [() => gateway.readCheckout('cs_1')],
  createSubscriptionCheckout: [() => gateway.createSubscriptionCheckout({ customerId: 'cus_1', ...back })],
  cancelSubscription: [() => gateway.cancelSubscription('sub_1')],
  endSubscription: [() => gateway.endSubscription('sub_1')],
  readSubscription: [() => gateway.readSubscription('sub_1')],
  readPaymentState: [() => gateway.readPaymentState('pi_1')],
  findSession: [() => gateway.findSession('pi_1')],
  sendUsage: [() => gateway.sendUsage(usage)],
  cancelUsage: [() => gateway.cancelUsage({ ...usage, series: 0 })],
  readUsage: [
    () => gateway.readUsage({ ...day, byDay: true }),
    () => gateway.readUsage({ ...day, byDay: false }),
  ],
  createPortalSession: [
    () => gateway.createPortalSession({ customerId: 'cus_1', returnUrl: 'https://a.test/account' }),
  ],
  readEvent: [],
};

/** Sends the requests of a call, even if it cannot use the fixtures. @returns the lines of the requests */
async function accepted(call: () => unknown): Promise<string[]> {
  stripe.requests.length = 0;
  await Promise.resolve(call()).catch(() => undefined);
  expect(stripe.requests.filter(({ status }) => status !== 200)).toEqual([]);
  return stripe.requests.map(({ line }) => line);
}

suite(`Stripe's API${unavailable === null ? '' : ` (skipped: ${unavailable})`}`, () => {
  beforeAll(async () => {
    stripe = await startStripeMock();
    const client = createStripeClient({ secretKey: 'sk_test_123', apiBase: stripe.url });
    gateway = createStripeGateway(client, 'whsec_test');
  }, buildMaxMs);
  beforeEach(() => stripe.lists.clear());
  afterAll(() => stripe.close());

  test('is called by every method of the gateway but the one that reads events', () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(gateway).sort());
    const silent = Object.entries(calls).flatMap(([name, each]) => (each.length === 0 ? [name] : []));
    expect(silent).toEqual(['readEvent']);
  });

  test.each(
    Object.entries(calls).flatMap(([name, each]) => each.map((call, n) => [name, n + 1, call] as const)),
  )('accepts every request of %s (%i)', async (_name, _n, call) => {
    expect(await accepted(call)).not.toEqual([]);
  });

  test('accepts the meter and the price that the first subscription creates', async () => {
    stripe.lists.set('GET /v1/prices', []).set('GET /v1/billing/meters', []);
    const lines = await accepted(() => gateway.createSubscriptionCheckout({ customerId: 'cus_1', ...back }));
    expect(lines).toEqual([
      'GET /v1/prices',
      'GET /v1/billing/meters',
      'POST /v1/billing/meters',
      'POST /v1/prices',
      'POST /v1/checkout/sessions',
    ]);
  });

  test('accepts the question for what a meter has counted', async () => {
    const meter = { object: 'billing.meter', id: 'mtr_1', event_name: usageMeterName };
    stripe.lists.set('GET /v1/billing/meters', [meter]);
    for (const call of calls.readUsage) {
      expect(await accepted(call)).toContain('GET /v1/billing/meters/mtr_1/event_summaries');
    }
  });

  test('refuses a parameter that it does not know, or that is missing', async () => {
    stripe.requests.length = 0;
    const send = (path: string, body?: string) =>
      fetch(`${stripe.url}/v1/${path}`, {
        headers: {
          authorization: 'Bearer sk_test_123',
          'content-type': 'application/x-www-form-urlencoded',
        },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
    await send('customers', 'email=a@b.test&colour=red');
    await send('billing/meters', 'display_name=x');
    await send('checkout/sessions?colour=red');
    expect(stripe.requests).toMatchObject([
      { status: 400, refusal: expect.stringContaining('additional properties are not allowed') },
      { status: 400, refusal: expect.stringContaining('is required') },
      { status: 400, refusal: expect.stringContaining('additional properties are not allowed') },
    ]);
  });
});
