import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import {
  type StripeStandIn,
  secretKey,
  startStripeStandIn,
  webhookSecret,
} from '../support/stripe/stripe-stand-in.js';
import { giveUpAfterMs } from '../support/until.js';
import { failureOf } from './failure-of.js';

let stripe: StripeStandIn;
let gateway: PaymentGateway;

beforeEach(async () => {
  stripe = await startStripeStandIn();
  gateway = stripe.gateway();
});

afterEach(() => stripe.close());

const noon = new Date('2031-03-05T12:00:00Z');
const usage = { identifier: 'purchase-1', customerId: 'cus_1', valueUsdCents: 300, occurredAt: noon };

describe('a failed call to Stripe', () => {
  test.each([
    ['an unreachable server', 'down', true],
    ['status 500', 500, true],
    ['status 429', 429, true],
  ] as const)('(%s) is one attempt and retryable', async (_what, fault, retryable) => {
    stripe.fault = fault;
    expect(await failureOf(gateway.sendUsage(usage))).toMatchObject({ retryable });
    expect(stripe.requests).toHaveLength(1);
  });

  test('times out', async () => {
    stripe.fault = 'slow';
    expect(await failureOf(stripe.gateway({ timeoutMs: giveUpAfterMs }).sendUsage(usage))).toMatchObject({
      retryable: true,
    });
    expect(stripe.requests).toHaveLength(1);
  });

  test('reports the requested delay', async () => {
    stripe.fault = 429;
    expect(await failureOf(gateway.sendUsage(usage))).toMatchObject({ retryAfterSeconds: 7 });
  });

  test('is not retryable if the key is wrong', async () => {
    const stranger = stripe.gateway({ secretKey: 'sk_test_wrong_9876543210' });
    expect(await failureOf(stranger.createCustomer('a', new Date()))).toMatchObject({ retryable: false });
  });

  test('does not contain a key, even if the response does', async () => {
    stripe.fault = 500;
    const failed = await failureOf(gateway.sendUsage(usage));
    stripe.fault = null;
    const refused = await failureOf(
      stripe.gateway({ secretKey: 'sk_test_wrong_9876543210' }).createCustomer('a', new Date()),
    );
    for (const error of [failed, refused]) {
      const everything = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join();
      expect(everything).not.toMatch(/sk_test/);
    }
    expect(failed.message).toBe('Stripe: 500 api_error');
  });

  test('is not reported with the next request', async () => {
    await gateway.createCustomer('a', new Date());
    await gateway.createCustomer('a', new Date());
    for (const { headers } of stripe.requests) {
      expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
    }
  });
});

describe('payments are configured', () => {
  const settings = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: undefined,
  };

  test('with both secrets, not with one', () => {
    expect(createPaymentGateway(settings)).not.toBeNull();
    expect(createPaymentGateway({ ...settings, STRIPE_SECRET_KEY: undefined })).toBeNull();
    expect(createPaymentGateway({ ...settings, STRIPE_WEBHOOK_SECRET: undefined })).toBeNull();
  });

  test('at the configured base URL', async () => {
    const configured = createPaymentGateway({ ...settings, STRIPE_API_BASE: stripe.url });
    expect(await configured?.createCustomer('a', new Date())).toBe(stripe.books.customers[0]);
  });
});
