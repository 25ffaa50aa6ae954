import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { suspendAccount } from '../../../db/accounts/standing.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import { deliverTo } from '../../support/service/test-billing.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { useTestBilling } from '../../support/use-service.js';

const session = { as: 'session' } as const;

const billing = await useTestBilling();
const { stripe, service } = billing;

describe('the packs', () => {
  test('are public, in whole credits and cents, between 0.010 and 0.014 USD a credit', async () => {
    const { body } = await (await service.newCaller()).get('/api/credits/packs', { as: 'nobody' });
    expect(body.packs).toContainEqual({ id: 'starter', credits: 500, price_usd_cents: 700 });
    for (const { credits, price_usd_cents } of body.packs) {
      expect(price_usd_cents).toBeGreaterThanOrEqual(credits);
      expect(price_usd_cents * 10).toBeLessThanOrEqual(credits * 14);
    }
  });
});

describe('buying a pack', () => {
  test('opens a checkout at its price and credits nothing before payment', async () => {
    const caller = await service.newCaller();
    const body = await billing.checkout(caller);
    expect(Object.keys(body).sort()).toEqual(['checkout_id', 'session_id', 'url']);
    expect(stripe.books.sessions.get(body.session_id)).toMatchObject({
      url: body.url,
      amount_total: 700,
      client_reference_id: body.checkout_id,
      form: {
        success_url: `${service.url}/?checkout=success`,
        cancel_url: `${service.url}/?checkout=cancelled`,
      },
    });
    expect(await caller.balance()).toBe(0);
  });

  test('uses the return URLs of the caller', async () => {
    const caller = await service.newCaller();
    const [success_url, cancel_url] = ['https://shop.test/yes?a=b', 'http://localhost:1/no'];
    const body = { pack_id: 'large', success_url, cancel_url };
    const { session_id } = (await caller.post('/api/billing/checkout', body, { as: 'session' })).body;
    expect(stripe.books.sessions.get(session_id)?.form).toMatchObject({ success_url, cancel_url });
  });

  test('credits the pack on payment and shows it in the ledger', async () => {
    const caller = await service.newCaller();
    await billing.buyPack(caller);
    expect(await caller.balance()).toBe(500);
    expect(await caller.ledger()).toMatchObject([
      { kind: 'purchase', pool: 'purchased', amount_credits: 500, balance_after: 500 },
    ]);
  });

  test('credits the pack once for twenty concurrent and repeated events', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const event = stripe.event('checkout.session.completed', stripe.books.pay(session_id));
    const answers = await Promise.all(Array.from({ length: 20 }, () => billing.deliver(event)));
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200));
    await billing.deliver(event);
    expect(await caller.balance()).toBe(500);
    expect(await caller.ledger()).toHaveLength(1);
  });

  test('a suspended account opens no checkout and no subscription, and gets what it had paid before', async () => {
    const caller = await service.newCaller();
    const { accountId } = caller;
    const { session_id } = await billing.checkout(caller);
    await suspendAccount(service.database.db, { accountId, reason: 'test', now: new Date() });
    const before = stripe.books.sessions.size;
    expectProblem(
      await caller.post('/api/billing/checkout', { pack_id: 'starter' }, session),
      'account_suspended',
    );
    expectProblem(await caller.post('/api/billing/subscription', {}, session), 'account_suspended');
    expect(stripe.books.sessions.size).toBe(before);
    await billing.deliverNew('checkout.session.completed', stripe.books.pay(session_id));
    expect(await caller.balance()).toBe(500);
  });

  test('credits a delayed payment when it arrives', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    await billing.deliverNew('checkout.session.completed', { ...stripe.books.pay(session_id, 'unpaid') });
    await billing.deliverNew('checkout.session.async_payment_failed', stripe.books.pay(session_id, 'unpaid'));
    expect(await caller.balance()).toBe(0);
    await billing.deliverNew('checkout.session.async_payment_succeeded', stripe.books.pay(session_id));
    await billing.deliverNew('checkout.session.completed', stripe.books.pay(session_id, 'unpaid'));
    expect(await caller.balance()).toBe(500);
  });

  test('identifies the checkout by its session: other metadata changes nothing, a wrong amount is not credited', async () => {
    const [buyer, other] = [await service.newCaller(), await service.newCaller()];
    const foreign = await billing.checkout(other, 'large');
    const { session_id } = await billing.checkout(buyer);
    const session = stripe.books.pay(session_id);
    await billing.deliverNew('checkout.session.completed', { ...session, amount_total: 1 });
    await billing.deliverNew('checkout.session.completed', { ...session, currency: 'jpy' });
    expect(await buyer.balance()).toBe(0);
    await billing.deliverNew('checkout.session.completed', {
      ...session,
      client_reference_id: foreign.checkout_id,
      metadata: { checkout_id: foreign.checkout_id, account_id: other.accountId, credits: '10000' },
    });
    expect([await buyer.balance(), await other.balance()]).toEqual([500, 0]);
  });

  test('ignores other payments in the same Stripe account', async () => {
    await billing.deliverNew('checkout.session.completed', {
      id: 'cs_other',
      mode: 'payment',
      payment_status: 'paid',
      payment_intent: 'pi_other',
      amount_total: 700,
      currency: 'usd',
    });
    await billing.deliverNew('charge.refunded', { payment_intent: 'pi_other' });
    await billing.deliverNew('invoice.created', { id: 'in_1' });
  });

  test('returns to this service, whatever the request calls its host', async () => {
    const caller = await service.newCaller();
    for (const host of ['evil.example', 'a b%%']) {
      const answer = await send(`${service.url}/api/billing/checkout`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': caller.key,
          host,
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'https',
        },
        body: '{"pack_id":"starter"}',
      });
      expect(stripe.books.sessions.get(answer.body.session_id)?.form).toMatchObject({
        success_url: `${service.url}/?checkout=success`,
        cancel_url: `${service.url}/?checkout=cancelled`,
      });
    }
  });
});

describe('while Stripe is unavailable', () => {
  test.each(['down', 500, 'lost_answer'] as const)(
    '(%s) nothing can be bought, and nothing is lost',
    async fault => {
      const caller = await service.newCaller();
      stripe.fault = fault;
      expectProblem(await caller.post('/api/billing/checkout', { pack_id: 'starter' }), 'unavailable');
      expectProblem(await caller.post('/api/billing/subscription', {}, session), 'unavailable');
      expect((await caller.get('/api/billing/status')).status).toBe(200);
      stripe.fault = null;
      await billing.buyPack(caller);
      expect(await caller.balance()).toBe(500);
    },
  );
});

describe('without configured payments', () => {
  let bare: TestService;
  let caller: TestCaller;

  beforeAll(async () => {
    bare = await startTestService({ worker: false });
    caller = await bare.newCaller(1_000);
  });

  afterAll(() => bare.stop());

  test('buying returns payments_not_configured', async () => {
    expectProblem(
      await caller.post('/api/billing/checkout', { pack_id: 'starter' }),
      'payments_not_configured',
    );
    expectProblem(await caller.post('/api/billing/subscription', {}, session), 'payments_not_configured');
    expectProblem(await caller.delete('/api/billing/subscription', session), 'payments_not_configured');
    expectProblem(await caller.post('/api/billing/portal', {}, session), 'payments_not_configured');
    expectProblem(await deliverTo(bare.url, stripe.event('invoice.created', {})), 'payments_not_configured');
  });

  test('everything else works', async () => {
    expect((await caller.get('/api/credits/packs', { as: 'nobody' })).body.packs).toHaveLength(3);
    expect((await caller.get('/api/billing/status')).body).toEqual({
      plan: 'none',
      status: null,
      next_step: null,
      period_start: null,
      period_end: null,
      cancel_at_period_end: false,
      usage: { fresh_reports: 0, cached_reports: 0, amount_usd_cents: 0 },
      owed_credits: 0,
      payments_configured: false,
    });
    expect(await caller.balance()).toBe(1_000);
  });
});
