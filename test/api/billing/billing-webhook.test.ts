import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { fulfilCheckouts } from '../../../activities/maintenance/fulfil-checkouts.js';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { settlePaymentFinding } from '../../../db/billing/payment-findings.js';
import { bodyMaxBytes } from '../../../purchase/limits.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import { startTcpProxy } from '../../support/service/tcp-proxy.js';
import { deliverTo } from '../../support/service/test-billing.js';
import { createTestDatabase } from '../../support/service/test-database.js';
import { startTestService } from '../../support/service/test-service.js';
import { useTestBilling } from '../../support/use-service.js';

const billing = await useTestBilling();
const { stripe, service } = billing;

describe('the webhook', () => {
  test('accepts only signatures of Stripe that are at most five minutes old', async () => {
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const paid = stripe.books.pay(session_id);
    const type = 'checkout.session.completed';
    const at = (seconds: number) => ({ at: new Date(Date.now() + seconds * 1_000) });
    const good = stripe.event(type, paid);
    for (const event of [
      stripe.event(type, paid, { secret: 'whsec_other' }),
      stripe.event(type, paid, at(-301)),
      stripe.event(type, paid, at(900)),
      { ...good, signature: '' },
      { ...good, signature: 't=1,v1=' },
      { ...good, body: good.body.replace('700', '701') },
      { ...good, body: '' },
    ])
      expectInvalid(await billing.deliver(event), ['Stripe-Signature']);
    expect(await caller.balance()).toBe(0);
    await billing.deliver(good);
    expect(await caller.balance()).toBe(500);
  });

  test('refuses a signed event that it cannot read and names the field, so that Stripe shows it as failed', async () => {
    const odd = stripe.event('charge.refunded', { payment_intent: { id: 'pi_1' } });
    expectInvalid(await billing.deliver(odd), ['#/data/object/payment_intent']);
    expectInvalid(await billing.deliver(stripe.sign('[]')), ['#']);
  });

  test('accepts any content type and at most 64 KiB', async () => {
    const { body, signature } = stripe.event('invoice.created', { id: 'x' });
    const headers = { 'content-type': 'text/plain', 'stripe-signature': signature };
    const url = `${service.url}/api/billing/webhook`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
    const big = stripe.event('invoice.created', { id: 'x'.repeat(bodyMaxBytes) });
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
    const wire = await startTcpProxy(new URL(process.env['TEST_DATABASE_URL'] ?? '').host);
    const database = await createTestDatabase(wire);
    const second = await startTestService({ worker: false, payments: stripe.gateway(), database });
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
      await database.drop();
      await wire.cut();
    }
  });
});

describe('a payment whose webhook never comes', () => {
  const minutes = 60_000;
  const hours = 60 * minutes;
  const days = 24 * hours;
  /** What an operator sees of a payment to review. */
  const notices = async (sessionId: string) =>
    (await auditBooks(service.database.db, new Date())).notices.filter(notice => notice.includes(sessionId));

  /** One round of the maintenance duty, some time from now. */
  const round = (afterMs: number) =>
    fulfilCheckouts({
      db: service.database.db,
      checkoutReader: stripe.gateway(),
      now: () => new Date(Date.now() + afterMs),
      log: pino({ level: 'silent' }),
    });

  /** Ends the checkouts of other tests. */
  const onlyNew = () => service.database.pool.query('update checkouts set closed_at = now()');

  test('is credited once, together with its webhook and rounds at the same time', async () => {
    await onlyNew();
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    expect(await round(4 * minutes)).toMatchObject({ fulfilled: 0, waiting: 0 });
    expect(await round(6 * minutes)).toMatchObject({ fulfilled: 0, waiting: 1, reachable: true });
    const session = stripe.books.pay(session_id);
    expect(await round(6 * minutes)).toMatchObject({ fulfilled: 0, waiting: 0 });
    await Promise.all([
      ...Array.from({ length: 5 }, () => round(12 * minutes)),
      billing.deliverNew('checkout.session.completed', session),
    ]);
    expect(await caller.ledger()).toMatchObject([{ kind: 'purchase', amount_credits: 500 }]);
    expect(await round(12 * hours)).toMatchObject({ fulfilled: 0, fulfilledBefore: 0, waiting: 0 });
  });

  test('and that was refunded meanwhile is not credited', async () => {
    await onlyNew();
    const caller = await service.newCaller();
    const { session_id } = await billing.checkout(caller);
    const { payment_intent } = stripe.books.pay(session_id);
    stripe.books.payment(payment_intent).amount_refunded = 700;
    expect(await round(6 * minutes)).toMatchObject({ fulfilled: 1 });
    expect(await caller.balance()).toBe(0);
    expect((await caller.get('/api/billing/status')).body.owed_credits).toBe(0);
  });

  test('for a wrong amount is a finding of the audit until an operator settles it', async () => {
    await onlyNew();
    const caller = await service.newCaller();
    const { session_id, checkout_id } = await billing.checkout(caller);
    Object.assign(stripe.books.pay(session_id), { amount_total: 699 });
    expect(await round(6 * minutes)).toMatchObject({ fulfilled: 0, findings: 1 });
    await billing.deliverNew('checkout.session.completed', stripe.books.pay(session_id));
    expect(await round(days)).toMatchObject({ findings: 0, waiting: 0 });
    expect(await caller.balance()).toBe(0);
    const finding = `session ${session_id} of checkout ${checkout_id} was paid with 699 cents in usd`;
    expect(await notices(session_id)).toEqual([expect.stringContaining(finding)]);
    const refunded = { reason: 'refunded at Stripe', now: new Date() };
    const settled = await settlePaymentFinding(service.database.db, session_id, refunded);
    expect(settled).toMatchObject({ kind: 'wrong_amount', paidCents: 699 });
    expect(await notices(session_id)).toEqual([]);
  });

  test('of a session whose checkout is not stored is a finding; another program’s payment is not', async () => {
    const checkout_id = '5b1f6a5e-0a54-4c5a-9a73-7d7a1f6f7b0e';
    const lost = {
      id: 'cs_lost',
      mode: 'payment',
      payment_status: 'paid',
      payment_intent: 'pi_lost',
      amount_total: 700,
      currency: 'usd',
      client_reference_id: checkout_id,
      metadata: { checkout_id },
    };
    const foreign = { ...lost, id: 'cs_foreign', metadata: { checkout_id: 'other' } };
    for (const each of [lost, lost, foreign]) await billing.deliverNew('checkout.session.completed', each);
    expect(await notices('cs_lost')).toEqual([
      expect.stringMatching(/^session cs_lost was paid with 700 cents in usd for checkout 5b1f6a5e/),
    ]);
    expect(await notices('cs_foreign')).toEqual([]);
  });

  test('is not asked about after its session has expired, or after thirty days', async () => {
    await onlyNew();
    const caller = await service.newCaller();
    const expired = await billing.checkout(caller);
    const slow = await billing.checkout(caller);
    const gone = await billing.checkout(caller);
    stripe.books.expire(expired.session_id);
    stripe.books.pay(slow.session_id, 'unpaid');
    stripe.books.sessions.delete(gone.session_id);
    expect(await round(25 * hours)).toMatchObject({ closed: 1, waiting: 2, failed: 0 });
    expect(await round(29 * days)).toMatchObject({ closed: 0, waiting: 2 });
    expect(await round(33 * days)).toMatchObject({ closed: 2, waiting: 0 });
    stripe.requests.length = 0;
    expect(await round(40 * days)).toMatchObject({ closed: 0, waiting: 0 });
    expect(stripe.requests).toEqual([]);
    await billing.deliverNew('checkout.session.async_payment_succeeded', stripe.books.pay(slow.session_id));
    expect(await caller.balance()).toBe(500);
  });

  test('is credited once Stripe answers again; one checkout that it refuses blocks no other', async () => {
    await onlyNew();
    const [one, other] = [await service.newCaller(), await service.newCaller()];
    for (const caller of [one, other]) stripe.books.pay((await billing.checkout(caller)).session_id);
    stripe.fault = 'down';
    expect(await round(6 * minutes)).toMatchObject({ failed: 1, reachable: false });
    stripe.fault = 400;
    expect(await round(12 * minutes)).toMatchObject({ failed: 2, reachable: true });
    stripe.fault = null;
    expect(await round(18 * minutes)).toMatchObject({ fulfilled: 2 });
    expect([await one.balance(), await other.balance()]).toEqual([500, 500]);
  });
});
