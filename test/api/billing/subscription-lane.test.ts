import { describe, expect, test } from '@jest/globals';
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

const subscribed = (caller: TestCaller) => billing.subscribed(caller, period);
const status = async (caller: TestCaller) => (await caller.get('/api/billing/status')).body;

describe('a period that has ended', () => {
  const check = (caller: TestCaller, lane = '') =>
    caller.get(`/api/reports/check/sample-ridge-derby-2031${lane === '' ? '' : `?lane=${lane}`}`);
  const until = (end: Date, plusMs: number) => {
    service.clock.offsetMs = end.getTime() + plusMs - Date.now();
  };

  test('is read again before credits are taken, when the news of its renewal is late', async () => {
    const caller = await service.newCaller();
    const subscription = await subscribed(caller);
    const next = { from: period.to, to: new Date(period.to.getTime() + 30 * dayMs) };
    subscription.items.data = [
      {
        current_period_start: next.from.getTime() / 1_000,
        current_period_end: next.to.getTime() / 1_000,
      },
    ];
    until(period.to, 2 * 3_600_000);
    expect((await check(caller)).body).toMatchObject({ lane: 'subscription', cost_credits: 0 });
    expect(await status(caller)).toMatchObject({ plan: 'subscription', period_end: next.to.toISOString() });
  });

  test('refuses with 503 while it cannot be read; credits pay when they are asked for', async () => {
    const caller = await service.newCaller();
    await subscribed(caller);
    until(period.to, 2 * 3_600_000);
    stripe.fault = 'down';
    expectProblem(await check(caller), 'unavailable');
    expectProblem(await caller.buy('sample-ridge-derby-2031'), 'unavailable');
    expect((await check(caller, 'credits')).body).toMatchObject({ lane: 'credits' });
    stripe.fault = null;
  });

  test('pays no more when it was cancelled, from its last moment on', async () => {
    const caller = await service.newCaller();
    await subscribed(caller);
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
    const caller = await service.newCaller();
    const subscription = await subscribed(caller);
    subscription.status = state;
    await billing.deliverNew('customer.subscription.updated', subscription);
    expect(await status(caller)).toMatchObject({
      plan: 'none',
      status: state,
      next_step: expect.stringMatching(text),
    });
    const refused = await caller.get('/api/reports/check/sample-ridge-derby-2031?lane=subscription');
    expectProblem(refused, 'lane_unavailable');
    expect(refused.body).toMatchObject({ missing: ['subscription'], detail: expect.stringMatching(text) });
  });
});

describe('the billing portal', () => {
  const portal = '/api/billing/portal';
  const session = { as: 'session' } as const;

  test('opens for the customer of the account, and leads back', async () => {
    const caller = await service.newCaller();
    const { customer } = await subscribed(caller);
    const opened = await caller.post(portal, { return_url: 'https://shop.test/account' }, session);
    expect(opened).toMatchObject({ status: 201, body: { url: expect.stringContaining(`/${customer}/`) } });
    expect((await caller.post(portal, undefined, session)).status).toBe(201);
  });

  test('is not found without a customer, and unavailable while Stripe is', async () => {
    const caller = await service.newCaller();
    expectProblem(await caller.post(portal, {}, session), 'not_found');
    await subscribed(caller);
    stripe.fault = 'down';
    expectProblem(await caller.post(portal, {}, session), 'unavailable');
  });
});
