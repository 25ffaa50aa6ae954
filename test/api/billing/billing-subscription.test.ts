import { describe, expect, test } from '@jest/globals';
import { saveEvent } from '../../../db/reports/events.js';
import { event, market } from '../../council/fixtures.js';
import { bought, complete } from '../../db/support/purchases.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestBilling } from '../../support/use-service.js';

const billing = await useTestBilling();
const { stripe, service } = billing;

const dayMs = 24 * 3_600_000;
const period = {
  from: new Date(Math.floor(Date.now() / 1_000) * 1_000 - dayMs),
  to: new Date(Math.floor(Date.now() / 1_000) * 1_000 + 29 * dayMs),
};

const path = '/api/billing/subscription';
const session = { as: 'session' } as const;
const status = async (caller: TestCaller) => (await caller.get('/api/billing/status')).body;

async function openSession(caller: TestCaller): Promise<string> {
  const { status, body } = await caller.post(path, {}, session);
  expect(status).toBe(201);
  expect(Object.keys(body).sort()).toEqual(['session_id', 'url']);
  return body.session_id;
}

const subscribed = (caller: TestCaller) => billing.subscribed(caller, period);

describe('subscribing', () => {
  test('takes a session, as do cancelling and the portal: a leaked key can do none of them', async () => {
    const caller = await service.newCaller();
    const { customer } = await subscribed(caller);
    for (const answer of [
      await caller.post(path, {}),
      await caller.delete(path),
      await caller.post('/api/billing/portal', {}),
    ])
      expectProblem(answer, 'session_required');
    expect(await status(caller)).toMatchObject({ plan: 'subscription', cancel_at_period_end: false });
    const opened = await caller.post('/api/billing/portal', {}, session);
    expect(opened.body.url).toContain(`/${customer}/`);
  });

  test('opens a checkout for the account’s one customer and starts with the event of Stripe', async () => {
    const caller = await service.newCaller();
    const first = await openSession(caller);
    const second = await openSession(caller);
    const customers = [first, second].map(id => stripe.books.sessions.get(id)?.customer);
    expect(customers[0]).toBe(customers[1]);
    expect(await status(caller)).toMatchObject({ plan: 'none', status: null });
    stripe.books.subscribe(first, period);
    await billing.deliverNew('checkout.session.completed', stripe.books.sessions.get(first));
    expect(await status(caller)).toEqual({
      plan: 'subscription',
      status: 'active',
      next_step: null,
      period_start: period.from.toISOString(),
      period_end: period.to.toISOString(),
      cancel_at_period_end: false,
      usage: { fresh_reports: 0, cached_reports: 0, amount_usd_cents: 0 },
      owed_credits: 0,
      payments_configured: true,
    });
  });

  test('with a live subscription returns its status', async () => {
    const caller = await service.newCaller();
    await subscribed(caller);
    const answer = await caller.post(path, {}, session);
    expect(answer).toMatchObject({ status: 200, body: { plan: 'subscription', status: 'active' } });
  });

  test('with a subscription that ended unnoticed opens a new checkout', async () => {
    const caller = await service.newCaller();
    const subscription = await subscribed(caller);
    subscription.status = 'canceled';
    await openSession(caller);
    expect(await status(caller)).toMatchObject({ plan: 'none', status: 'canceled' });
  });

  test('twice at once keeps one subscription and ends the second', async () => {
    const caller = await service.newCaller();
    const [first, second] = [await openSession(caller), await openSession(caller)];
    const kept = stripe.books.subscribe(first, period);
    const doubled = stripe.books.subscribe(second, period);
    await billing.deliverNew('customer.subscription.created', kept);
    await billing.deliverNew('customer.subscription.created', doubled);
    expect([kept.status, doubled.status]).toEqual(['active', 'canceled']);
    await billing.deliverNew('customer.subscription.deleted', doubled);
    expect(await status(caller)).toMatchObject({ plan: 'subscription', status: 'active' });
  });

  test('after a subscription that ended unnoticed is not ended as a second one', async () => {
    const caller = await service.newCaller();
    const [first, second] = [await openSession(caller), await openSession(caller)];
    const over = stripe.books.subscribe(first, period);
    await billing.deliverNew('customer.subscription.created', over);
    over.status = 'canceled';
    const next = stripe.books.subscribe(second, period);
    await billing.deliverNew('customer.subscription.created', next);
    expect(next.status).toBe('active');
    expect(await status(caller)).toMatchObject({ plan: 'subscription', status: 'active' });
    await billing.deliverNew('customer.subscription.deleted', over);
    expect(await status(caller)).toMatchObject({ plan: 'subscription', status: 'active' });
  });
});

describe('the state of a subscription', () => {
  test('is read from Stripe, so an old event cannot restore an old state', async () => {
    const caller = await service.newCaller();
    const subscription = await subscribed(caller);
    const old = stripe.event('customer.subscription.updated', { ...subscription });
    subscription.status = 'canceled';
    await billing.deliverNew('customer.subscription.deleted', subscription);
    expect(await status(caller)).toMatchObject({ plan: 'none', status: 'canceled' });
    expect((await billing.deliver(old)).status).toBe(200);
    expect(await status(caller)).toMatchObject({ plan: 'none', status: 'canceled' });
  });

  test('is ignored for an unknown customer', async () => {
    await billing.deliverNew('customer.subscription.updated', { id: 'sub_none' });
    const session = await billing.stripe.gateway().createSubscriptionCheckout({
      customerId: 'cus_other',
      successUrl: 'https://a.test',
      cancelUrl: 'https://a.test',
    });
    await billing.deliverNew(
      'customer.subscription.created',
      stripe.books.subscribe(session.sessionId, period),
    );
  });

  test('is requested again after Stripe was unavailable', async () => {
    const caller = await service.newCaller();
    const sessionId = await openSession(caller);
    const event = stripe.event('customer.subscription.created', stripe.books.subscribe(sessionId, period));
    stripe.fault = 'down';
    expectProblem(await billing.deliver(event), 'unavailable');
    stripe.fault = null;
    expect((await billing.deliver(event)).status).toBe(200);
    expect(await status(caller)).toMatchObject({ plan: 'subscription' });
  });
});

describe('cancelling', () => {
  test('takes effect at the end of the period and is idempotent', async () => {
    const caller = await service.newCaller();
    await subscribed(caller);
    for (const _time of [1, 2]) {
      const answer = await caller.delete(path, session);
      expect(answer).toMatchObject({
        status: 200,
        body: { plan: 'subscription', status: 'active', cancel_at_period_end: true },
      });
    }
  });

  test('returns not_found without a live subscription', async () => {
    const caller = await service.newCaller();
    expectProblem(await caller.delete(path, session), 'not_found');
    const subscription = await subscribed(caller);
    subscription.status = 'canceled';
    expectProblem(await caller.delete(path, session), 'not_found');
  });

  test('changes nothing while Stripe is unavailable', async () => {
    const caller = await service.newCaller();
    await subscribed(caller);
    stripe.fault = 'down';
    expectProblem(await caller.delete(path, session), 'unavailable');
    stripe.fault = null;
    expect(await status(caller)).toMatchObject({ plan: 'subscription', cancel_at_period_end: false });
  });
});

describe('the usage of a period', () => {
  test('is part of the status', async () => {
    const caller = await service.newCaller();
    await subscribed(caller);
    const now = new Date();
    const { db } = service.database;
    const eventId = `event-${caller.accountId}`;
    await saveEvent(db, event([market({ name: 'Rain' })], { eventId }), now);
    const wish = { accountId: caller.accountId, eventId, lane: 'subscription' } as const;
    const { reportId } = await bought(db, { ...wish, utcDay: now.toISOString().slice(0, 10) }, { now });
    expect((await status(caller)).usage).toMatchObject({ fresh_reports: 0 });
    await complete(db, reportId, 400_000, now);
    expect((await status(caller)).usage).toEqual({
      fresh_reports: 1,
      cached_reports: 0,
      amount_usd_cents: 300,
    });
  });
});
