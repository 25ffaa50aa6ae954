import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyMaxBytes } from '../../../council/limits.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { startTcpProxy } from '../../support/service/tcp-proxy.js';
import { deliverTo, startTestBilling, type TestBilling } from '../../support/service/test-billing.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import type { StripeStandIn } from '../../support/stripe/stripe-stand-in.js';

let billing: TestBilling;
let stripe: StripeStandIn;
let service: TestService;

beforeAll(async () => {
  billing = await startTestBilling();
  ({ stripe, service } = billing);
});

afterEach(() => billing.clearFaults());
afterAll(() => billing.stop());

describe('the webhook', () => {
  const nothing = { id: 'x' };

  test('accepts only signatures of Stripe that are at most five minutes old', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const session = stripe.books.pay(session_id);
    const type = 'checkout.session.completed';
    const old = new Date(Date.now() - 301_000);
    const good = stripe.event(type, session);
    for (const event of [
      stripe.event(type, session, { secret: 'whsec_other' }),
      stripe.event(type, session, { at: old }),
      { ...good, signature: '' },
      { ...good, signature: 't=1,v1=' },
      { ...good, body: good.body.replace('700', '701') },
      { ...good, body: '' },
    ]) {
      const answer = await billing.deliver(event);
      expectInvalid(answer, ['Stripe-Signature']);
    }
    expect(await caller.balance()).toBe(0);
    await billing.deliver(good);
    expect(await caller.balance()).toBe(500);
  });

  test('accepts any content type and at most 64 KiB', async () => {
    const { body, signature } = stripe.event('invoice.paid', nothing);
    const headers = { 'content-type': 'text/plain', 'stripe-signature': signature };
    const url = `${service.url}/api/billing/webhook`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    const big = stripe.event('invoice.paid', { id: 'x'.repeat(bodyMaxBytes) });
    expectProblem(await billing.deliver(big), 'payload_too_large');
  });

  test('asks Stripe to resend the event while Stripe’s API is unavailable, and loses nothing', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    payment.amount_refunded = 700;
    const event = stripe.event('charge.refunded', payment);
    for (const fault of ['down', 500] as const) {
      stripe.fault = fault;
      expectProblem(await billing.deliver(event), 'unavailable');
    }
    expect(await caller.balance()).toBe(500);
    stripe.fault = null;
    expect((await billing.deliver(event)).status).toBe(200);
    expect(await caller.balance()).toBe(0);
  });

  test('asks Stripe to resend the event while the database is unavailable', async () => {
    const real = process.env['TEST_DATABASE_URL'] ?? '';
    const away = new URL(real);
    const wire = await startTcpProxy(away.host);
    away.host = wire.address;
    process.env['TEST_DATABASE_URL'] = away.href;
    const second = await startTestService({ worker: false, payments: stripe.gateway() });
    process.env['TEST_DATABASE_URL'] = real;
    try {
      const caller = await second.newCaller();
      const { session_id } = await billing.checkout(caller);
      const event = stripe.event('checkout.session.completed', stripe.books.pay(session_id));
      await wire.cut();
      expectProblem(await deliverTo(second.url, event), 'unavailable');
      await wire.restore();
      expect((await deliverTo(second.url, event)).status).toBe(200);
      expect(await caller.balance()).toBe(500);
    } finally {
      await second.stop();
      await wire.cut();
    }
  });
});
