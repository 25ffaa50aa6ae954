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

/** An account with a subscription. */
async function subscriber() {
  const caller = await service.newCaller();
  return { caller, subscription: await billing.subscribed(caller, period) };
}

const check = (caller: TestCaller, query = '') =>
  caller.get(`/api/reports/check/sample-ridge-derby-2031${query}`);

describe('subscribing', () => {
  test('takes a session, as do cancelling and the portal: a leaked key can do none of them', async () => {
    const { caller } = await subscriber();
    for (const answer of [
      await caller.post(path, {}),
      await caller.delete(path),
      await caller.post('/api/billing/portal', {}),
    ])
      expectProblem(answer, 'session_required');
    expect(await status(caller)).toMatchObject({ plan: 'subscription', cancel_at_period_end: false });
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
    const { caller } = await subscriber();
    const answer = await caller.post(path, {}, session);
    expect(answer).toMatchObject({ status: 200, body: { plan: 'subscription', status: 'active' } });
  });

  test('with a subscription that ended unnoticed opens a new checkout', async () => {
    const { caller, subscription } = await subscriber();
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
    const { caller, subscription } = await subscriber();
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
  test('changes nothing while Stripe is unavailable, takes effect at the end of the period, and is idempotent', async () => {
    const { caller } = await subscriber();
    stripe.fault = 'down';
    expectProblem(await caller.delete(path, session), 'unavailable');
    stripe.fault = null;
    const live = { plan: 'subscription', status: 'active' };
    expect(await status(caller)).toMatchObject({ ...live, cancel_at_period_end: false });
    for (const _time of [1, 2]) {
      const body = { ...live, cancel_at_period_end: true };
      expect(await caller.delete(path, session)).toMatchObject({ status: 200, body });
    }
  });

  test('returns not_found without a live subscription', async () => {
    const stranger = await service.newCaller();
    expectProblem(await stranger.delete(path, session), 'not_found');
    const { caller, subscription } = await subscriber();
    subscription.status = 'canceled';
    expectProblem(await caller.delete(path, session), 'not_found');
  });
});

test('the usage of a period is part of the status', async () => {
  const { caller } = await subscriber();
  const { accountId } = caller;
  const now = new Date();
  const { db } = service.database;
  const eventId = `event-${accountId}`;
  await saveEvent(db, event([market({ name: 'Rain' })], { eventId }), now);
  const wish = { accountId, eventId, lane: 'subscription' } as const;
  const { reportId } = await bought(db, { ...wish, utcDay: now.toISOString().slice(0, 10) }, { now });
  expect((await status(caller)).usage).toMatchObject({ fresh_reports: 0 });
  await complete(db, reportId, 400_000, now);
  const usage = { fresh_reports: 1, cached_reports: 0, amount_usd_cents: 300 };
  expect((await status(caller)).usage).toEqual(usage);
});

describe('a period that has ended', () => {
  const until = (end: Date, plusMs: number) => {
    service.clock.offsetMs = end.getTime() + plusMs - Date.now();
  };

  test('is read again before credits are taken, when the news of its renewal is late', async () => {
    const { caller, subscription } = await subscriber();
    const next = { from: period.to, to: new Date(period.to.getTime() + 30 * dayMs) };
    const [from, to] = [next.from.getTime() / 1_000, next.to.getTime() / 1_000];
    subscription.items.data = [{ current_period_start: from, current_period_end: to }];
    until(period.to, 2 * 3_600_000);
    expect((await check(caller)).body).toMatchObject({ lane: 'subscription', cost_credits: 0 });
    expect(await status(caller)).toMatchObject({ plan: 'subscription', period_end: next.to.toISOString() });
  });

  test('refuses with 503 while it cannot be read; credits pay when they are asked for', async () => {
    const { caller } = await subscriber();
    until(period.to, 2 * 3_600_000);
    stripe.fault = 'down';
    expectProblem(await check(caller), 'unavailable');
    expectProblem(await caller.buy('sample-ridge-derby-2031'), 'unavailable');
    expect((await check(caller, '?lane=credits')).body).toMatchObject({ lane: 'credits' });
    stripe.fault = null;
  });

  test('pays no more when it was cancelled, from its last moment on', async () => {
    const { caller } = await subscriber();
    await caller.delete('/api/billing/subscription', { as: 'session' });
    until(period.to, -60_000);
    expect((await check(caller)).body).toMatchObject({ lane: 'subscription' });
    until(period.to, 1);
    expect((await check(caller)).body).toMatchObject({ lane: 'credits' });
    expect(await status(caller)).toMatchObject({ plan: 'none', status: 'active' });
  });
});

describe('a subscription that does not pay says what to do', () => {
  test.each([
    ['past_due', /invoice is not paid.*billing portal.*\/account/],
    ['unpaid', /invoice is not paid.*billing portal.*\/account/],
    ['paused', /paused.*payment method.*billing portal.*\/account/],
    ['canceled', /Subscribe on the page.*session/],
  ])('when it is %s', async (state, text) => {
    const { caller, subscription } = await subscriber();
    subscription.status = state;
    await billing.deliverNew('customer.subscription.updated', subscription);
    expect(await status(caller)).toMatchObject({
      plan: 'none',
      status: state,
      next_step: expect.stringMatching(text),
    });
    const refused = await check(caller, '?lane=subscription');
    expectProblem(refused, 'lane_unavailable');
    expect(refused.body).toMatchObject({ missing: ['subscription'], detail: expect.stringMatching(text) });
  });
});

test('the billing portal opens for the customer of the account, and is unavailable while Stripe is', async () => {
  const portal = '/api/billing/portal';
  const stranger = await service.newCaller();
  expectProblem(await stranger.post(portal, {}, session), 'not_found');
  const { caller, subscription } = await subscriber();
  const opened = await caller.post(portal, { return_url: 'https://shop.test/account' }, session);
  const url = expect.stringContaining(`/${subscription.customer}/`);
  expect(opened).toMatchObject({ status: 201, body: { url } });
  expect((await caller.post(portal, undefined, session)).status).toBe(201);
  stripe.fault = 'down';
  expectProblem(await caller.post(portal, {}, session), 'unavailable');
});
