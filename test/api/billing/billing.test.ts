import { describe, expect, test } from '@jest/globals';
import { suspendAccount } from '../../../db/accounts/standing.js';
import { spendCredits } from '../../db/support/spend-credits.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import { deliverTo } from '../../support/service/test-billing.js';
import { startTestService } from '../../support/service/test-service.js';
import { gate } from '../../support/until.js';
import { useTestBilling } from '../../support/use-service.js';

const session = { as: 'session' } as const;
const starter = { pack_id: 'starter' };

const billing = await useTestBilling();
const { stripe, service } = billing;

describe('buying a pack', () => {
  test('opens a checkout at its price and credits nothing before payment', async () => {
    const caller = await service.newCaller();
    const { packs } = (await caller.get('/api/credits/packs', { as: 'nobody' })).body;
    expect(packs).toContainEqual({ id: 'starter', credits: 500, price_usd_cents: 700 });
    const body = await billing.checkout(caller);
    expect(Object.keys(body).sort()).toEqual(['checkout_id', 'session_id', 'url']);
    expect(stripe.books.sessions.get(body.session_id)).toMatchObject({
      url: body.url,
      amount_total: 700,
      client_reference_id: body.checkout_id,
    });
    expect(await caller.balance()).toBe(0);
  });

  test('returns to the URLs of the caller, or to this service, whatever the request calls its host', async () => {
    const caller = await service.newCaller();
    const [success_url, cancel_url] = ['https://shop.test/yes?a=b', 'http://localhost:1/no'];
    const body = { pack_id: 'large', success_url, cancel_url };
    const { session_id } = (await caller.post('/api/billing/checkout', body, session)).body;
    expect(stripe.books.sessions.get(session_id)?.form).toMatchObject({ success_url, cancel_url });
    const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const headers = { 'content-type': 'application/json', 'x-api-key': caller.key };
    for (const host of [new URL(service.url).host, 'evil.example', 'a b%%']) {
      const answer = await send(`${service.url}/api/billing/checkout`, {
        method: 'POST',
        headers: { ...headers, ...forwarded, host },
        body: JSON.stringify(starter),
      });
      expect(stripe.books.sessions.get(answer.body.session_id)?.form).toMatchObject({
        success_url: `${service.url}/?checkout=success`,
        cancel_url: `${service.url}/?checkout=cancelled`,
      });
    }
  });

  test('credits the pack once for twenty concurrent and repeated events, and shows it in the ledger', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const event = stripe.event('checkout.session.completed', stripe.books.pay(session_id));
    const answers = await Promise.all(Array.from({ length: 20 }, () => billing.deliver(event)));
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200));
    await billing.deliver(event);
    expect(await caller.balance()).toBe(500);
    expect(await caller.ledger()).toMatchObject([
      { kind: 'purchase', pool: 'purchased', amount_credits: 500, balance_after: 500 },
    ]);
  });

  test('credits a payment when it arrives, for the right amount only, to the account of its session', async () => {
    const [caller, other] = [await service.newCaller(), await service.newCaller()];
    const { checkout_id } = await billing.checkout(other, 'large');
    const { session_id } = await billing.checkout(caller);
    const metadata = { checkout_id, account_id: other.accountId, credits: '10000' };
    for (const [type, change, balance] of [
      ['completed', { payment_status: 'unpaid' }, 0],
      ['async_payment_failed', { payment_status: 'unpaid' }, 0],
      ['completed', { amount_total: 1 }, 0],
      ['completed', { currency: 'jpy' }, 0],
      ['async_payment_succeeded', { client_reference_id: checkout_id, metadata }, 500],
      ['completed', { payment_status: 'unpaid' }, 500],
    ] as const) {
      const told = { ...stripe.books.pay(session_id), ...change };
      await billing.deliverNew(`checkout.session.${type}`, told);
      expect([await caller.balance(), await other.balance()]).toEqual([balance, 0]);
    }
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

  test('a suspended account opens no checkout and no subscription, and gets what it had paid before', async () => {
    const caller = await service.newCaller();
    const { accountId } = caller;
    const { session_id } = await billing.checkout(caller);
    await suspendAccount(service.database.db, { accountId, reason: 'test', now: new Date() });
    const before = stripe.books.sessions.size;
    expectProblem(await caller.post('/api/billing/checkout', starter, session), 'account_suspended');
    expectProblem(await caller.post('/api/billing/subscription', {}, session), 'account_suspended');
    expect(stripe.books.sessions.size).toBe(before);
    await billing.deliverNew('checkout.session.completed', stripe.books.pay(session_id));
    expect(await caller.balance()).toBe(500);
  });

  test.each(['down', 500, 'lost_answer'] as const)(
    'while Stripe is unavailable (%s), is refused, and nothing is lost',
    async fault => {
      const caller = await service.newCaller();
      stripe.fault = fault;
      expectProblem(await caller.post('/api/billing/checkout', starter), 'unavailable');
      expectProblem(await caller.post('/api/billing/subscription', {}, session), 'unavailable');
      expect((await caller.get('/api/billing/status')).status).toBe(200);
      stripe.fault = null;
      await billing.buyPack(caller);
      expect(await caller.balance()).toBe(500);
    },
  );

  test('without configured payments is refused, and everything else works', async () => {
    const bare = await startTestService({ worker: false });
    try {
      const caller = await bare.newCaller(1_000);
      for (const answer of [
        await caller.post('/api/billing/checkout', starter),
        await caller.post('/api/billing/subscription', {}, session),
        await caller.delete('/api/billing/subscription', session),
        await caller.post('/api/billing/portal', {}, session),
        await deliverTo(bare.url, stripe.event('invoice.created', {})),
      ])
        expectProblem(answer, 'payments_not_configured');
      expect((await caller.get('/api/credits/packs', { as: 'nobody' })).body.packs).toHaveLength(3);
      const unpaid = { plan: 'none', status: null, next_step: null, period_start: null, period_end: null };
      expect((await caller.get('/api/billing/status')).body).toEqual({
        ...unpaid,
        cancel_at_period_end: false,
        usage: { fresh_reports: 0, cached_reports: 0, amount_usd_cents: 0 },
        owed_credits: 0,
        payments_configured: false,
      });
      expect(await caller.balance()).toBe(1_000);
    } finally {
      await bare.stop();
    }
  });
});

describe('refunds and disputes', () => {
  test('a refund removes its credits; a second refund adds to it; a repeated event changes nothing', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    payment.amount_refunded = 7;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(495);
    const late = stripe.event('charge.refunded', { ...payment });
    payment.amount_refunded = 350;
    await billing.deliverNew('charge.refunded', payment);
    await billing.deliver(late);
    expect(await caller.balance()).toBe(250);
    payment.amount_refunded = 700;
    await Promise.all(Array.from({ length: 10 }, () => billing.deliverNew('charge.refunded', payment)));
    expect(await caller.balance()).toBe(0);
    const moves = (await caller.ledger()).map(({ kind, amount_credits }) => `${kind} ${amount_credits}`);
    expect(moves).toEqual(['adjustment -250', 'adjustment -245', 'adjustment -5', 'purchase 500']);
  });

  test('a refund before the fulfilment is stored until then', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const session = stripe.books.pay(session_id);
    const payment = stripe.books.payment(session.payment_intent);
    payment.amount_refunded = 350;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(0);
    await billing.deliverNew('checkout.session.completed', session);
    expect(await caller.balance()).toBe(250);
  });

  test('spent credits are owed by their account, which buys no report, not even with its weekly grant, until it pays', async () => {
    const [caller, other] = [await service.newCaller(0, { weeklyGrant: true }), await service.newCaller()];
    const balance = async () => (await caller.get('/api/credits/balance')).body;
    const check = async () => (await caller.get(`/api/reports/check/${eventId}`)).body;
    const eventId = 'sample-chess-knockout-2031';
    expect(await balance()).toMatchObject({ owed_credits: 0, weekly_grant: { available: true } });
    const { payment } = await billing.buyPack(caller);
    await spendCredits(service.database.db, caller.accountId, 420);
    payment.amount_refunded = 700;
    await billing.deliverNew('charge.refunded', payment);
    const owing = { balance_credits: 0, owed_credits: 420 };
    expect(await balance()).toMatchObject({ ...owing, weekly_grant: { available: false } });
    for (const [each, owed_credits] of [
      [caller, 420],
      [other, 0],
    ] as const)
      expect((await each.get('/api/billing/status')).body).toMatchObject({ owed_credits });
    const refused = await caller.buy(eventId);
    expectProblem(refused, 'insufficient_credits');
    expect(refused.body).toMatchObject({ ...owing, detail: expect.stringContaining('Buy credits') });
    expect(await check()).toMatchObject({ pool: 'purchased' });
    await billing.buyPack(caller);
    const paid = { balance_credits: 80, owed_credits: 0, weekly_grant: { available: true } };
    expect(await balance()).toMatchObject(paid);
    expect(await check()).toMatchObject({ pool: 'weekly_grant' });
  });

  test('a dispute removes all credits and a won dispute restores them, in any order of events', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    const dispute = stripe.books.dispute(payment);
    const created = stripe.event('charge.dispute.created', dispute);
    await billing.deliver(created);
    expect(await caller.balance()).toBe(0);
    dispute.status = 'won';
    await billing.deliverNew('charge.dispute.funds_reinstated', dispute);
    expect(await caller.balance()).toBe(500);
    await billing.deliver(created);
    await billing.deliverNew('charge.dispute.closed', dispute);
    expect(await caller.balance()).toBe(500);
  });

  test('an outdated state that is written last is corrected', async () => {
    const caller = await service.newCaller();
    const { payment } = await billing.buyPack(caller);
    const [holding, held] = [gate(), gate()];
    stripe.before = line => {
      if (line !== 'GET /v1/disputes') return;
      stripe.before = () => undefined;
      holding.open();
      return held.opened;
    };
    // The refund is read while there is none of it, and what was read waits.
    const slow = billing.deliver(stripe.event('charge.refunded', payment));
    await holding.opened;
    payment.amount_refunded = 700;
    await billing.deliverNew('charge.refunded', payment);
    expect(await caller.balance()).toBe(0);
    held.open();
    expect((await slow).status).toBe(200);
    expect(await caller.balance()).toBe(0);
  });
});
