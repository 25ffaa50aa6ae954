import { afterEach, describe, expect, test } from '@jest/globals';
import { reconcile } from '../../db/support/reconcile.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint } from '../../support/machine/footprint.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { subscribe as giveSubscription } from '../../support/service/subscribe.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const events = createSampleEventCopies();
const service = await useTestService({ markets: events });
afterEach(() => service.simulator.clearFaults());

const anEvent = () => events.retell('sample-fed-cut-2031');

const subscribe = ({ accountId }: TestCaller, status?: string) =>
  giveSubscription(service.database.db, accountId, status);

async function usage({ accountId }: TestCaller): Promise<{ kind: string; cents: number; state: string }[]> {
  const { rows } = await service.database.pool.query(
    `select kind, amount_usd_cents as cents, state from usage_outbox where account_id = $1 order by occurred_at`,
    [accountId],
  );
  return rows;
}

/** Another account completes a report on the event, so that it is cached. */
async function completeForOther(eventId: string): Promise<void> {
  const seller = await service.newCaller(1_000);
  await seller.run(eventId);
}

describe('the subscription', () => {
  test('pays for runs by API key: no credits, and usage on delivery', async () => {
    const caller = await service.newCaller(0);
    await subscribe(caller);
    const eventId = anEvent();
    const priced = { lane: 'subscription', pool: null, price_usd_cents: 300 };
    const check = await caller.get(`/api/reports/check/${eventId}`);
    expect(check.body).toMatchObject({ ...priced, cost_credits: 0 });
    const bought = await caller.buy(eventId, { quoted_credits: 7 });
    expect(bought).toMatchObject({ status: 202, body: { ...priced, credits_spent: 0, cached: false } });
    expect(await usage(caller)).toEqual([]);
    const ended = await caller.untilEnded(bought.body.report_id);
    expect(ended).toMatchObject({ status: 'completed', lane: 'subscription' });
    expect(await usage(caller)).toEqual([{ kind: 'fresh', cents: 300, state: 'pending' }]);
    expect(await caller.ledger()).toEqual([]);
    // The report is owned now, so nothing more is metered.
    expect((await caller.get(`/api/reports/check/${eventId}`)).body).toMatchObject({ price_usd_cents: 0 });
    expect((await caller.buy(eventId, { quoted_usd_cents: 0 })).body).toMatchObject({
      report_id: bought.body.report_id,
      credits_spent: 0,
      price_usd_cents: 0,
    });
    expect(await usage(caller)).toHaveLength(1);
  });

  test('is metered for a cached report immediately, at half price', async () => {
    const eventId = anEvent();
    await completeForOther(eventId);
    const caller = await service.newCaller(0);
    await subscribe(caller);
    expect((await caller.get(`/api/reports/check/${eventId}`)).body).toMatchObject({ price_usd_cents: 150 });
    expect((await caller.buy(eventId, { quoted_usd_cents: 150 })).body).toMatchObject({
      cached: true,
      lane: 'subscription',
      credits_spent: 0,
      price_usd_cents: 150,
    });
    expect(await usage(caller)).toEqual([{ kind: 'cached', cents: 150, state: 'pending' }]);
  });

  test('bills no more than the quote in dollars: a higher price is refused, and nothing is recorded', async () => {
    const caller = await service.newCaller(1_000);
    await subscribe(caller);
    const before = await footprint(service);
    const refused = await caller.buy(anEvent(), { quoted_credits: 1_000, quoted_usd_cents: 299 });
    expectProblem(refused, 'quote_expired');
    expect(refused.body).toMatchObject({ cost_credits: 0, price_usd_cents: 300 });
    expect(await footprint(service)).toEqual(before);
  });

  test('is never metered for a run that fails', async () => {
    const caller = await service.newCaller(0);
    await subscribe(caller);
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    expect(await caller.run(anEvent())).toMatchObject({ status: 'failed' });
    expect(await usage(caller)).toEqual([]);
    expect(await caller.ledger()).toEqual([]);
  });

  test('is not used by a session, or by a request that names the credits lane', async () => {
    const caller = await service.newCaller(1_000);
    await subscribe(caller);
    const bySession = await caller.post('/api/reports', { event_id: anEvent() }, { as: 'session' });
    expect(bySession.body).toMatchObject({ lane: 'credits', pool: 'purchased' });
    const byName = await caller.buy(anEvent(), { lane: 'credits' });
    expect(byName.body).toMatchObject({ lane: 'credits', pool: 'purchased' });
    for (const { body } of [bySession, byName]) await caller.untilEnded(body.report_id);
    expect(await usage(caller)).toEqual([]);
  });

  test('that has ended pays nothing: credits do, and a request that names it is refused', async () => {
    const caller = await service.newCaller(1_000);
    await subscribe(caller, 'canceled');
    const refused = await caller.buy(anEvent(), { lane: 'subscription' });
    expectProblem(refused, 'lane_unavailable');
    expect(refused.body).toMatchObject({ lane: 'subscription', missing: ['subscription'] });
    expectProblem(await caller.get(`/api/reports/check/${anEvent()}?lane=subscription`), 'lane_unavailable');
    const bought = await caller.buy(anEvent());
    expect(bought.body).toMatchObject({ lane: 'credits' });
    await caller.untilEnded(bought.body.report_id);
  });
});

describe('the caller’s own keys', () => {
  const put = (caller: TestCaller, provider: string) =>
    caller.put(`/api/provider-keys/${provider}`, { key: `sk-own-${provider}-1234` }, { as: 'session' });

  test('cost 50 credits, checked against the quote, and use no weekly grant', async () => {
    const caller = await service.newCaller(120, { weeklyGrant: true });
    const eventId = anEvent();
    const missing = await caller.buy(eventId, { lane: 'byok' });
    expectProblem(missing, 'lane_unavailable');
    expect(missing.body).toMatchObject({ lane: 'byok', missing: ['openai', 'anthropic', 'google', 'xai'] });
    expect(await caller.balance()).toBe(120);
    for (const provider of ['openai', 'anthropic', 'google']) await put(caller, provider);
    expect((await caller.buy(eventId, { lane: 'byok' })).body.missing).toEqual(['xai']);
    await put(caller, 'xai');

    const check = await caller.get(`/api/reports/check/${eventId}?lane=byok`);
    expect(check.body).toMatchObject({ lane: 'byok', pool: 'purchased', cost_credits: 50 });
    const expired = await caller.buy(eventId, { lane: 'byok', quoted_credits: 120 });
    expectProblem(expired, 'quote_expired');
    expect(expired.body.cost_credits).toBe(50);
    const bought = await caller.buy(eventId, { lane: 'byok', quoted_credits: 48 });
    expect(bought.body).toMatchObject({ lane: 'byok', pool: 'purchased', credits_spent: 48 });
    expect((await caller.untilEnded(bought.body.report_id)).status).toBe('completed');
    expect(await caller.balance()).toBe(72);
    expect((await caller.get('/api/credits/balance')).body.weekly_grant.available).toBe(true);
  });

  test('buy a cached report for the lower of 50 credits and the cached price', async () => {
    const eventId = anEvent();
    await completeForOther(eventId);
    const caller = await service.newCaller(50);
    await put(caller, 'openrouter');
    const { cached_credits } = (await caller.get('/api/credits/pricing')).body;
    const { body } = await caller.buy(eventId, { lane: 'byok' });
    expect(body).toMatchObject({ cached: true, lane: 'byok', credits_spent: Math.min(50, cached_credits) });
  });
});

test('the weekly grant is shown before and after it is spent, and pays a first report without credits', async () => {
  const caller = await service.newCaller(0, { weeklyGrant: true });
  const eventId = anEvent();
  const balance = await caller.get('/api/credits/balance');
  const { fresh_credits } = (await caller.get('/api/credits/pricing')).body;
  expect(balance.body).toMatchObject({
    balance_credits: 0,
    weekly_grant: { available: true, worth_credits: fresh_credits },
  });
  const check = await caller.get(`/api/reports/check/${eventId}`);
  expect(check.body).toMatchObject({ cost_credits: fresh_credits, pool: 'weekly_grant', lane: 'credits' });
  const { status, body } = await caller.buy(eventId, { quoted_credits: fresh_credits });
  expect(status).toBe(202);
  expect(body).toMatchObject({ pool: 'weekly_grant', credits_spent: fresh_credits });
  await caller.untilEnded(body.report_id);
  expect((await caller.get('/api/credits/balance')).body.weekly_grant.available).toBe(false);
  expect((await caller.get(`/api/reports/check/${anEvent()}`)).body.pool).toBe('purchased');
  expect(await caller.ledger()).toMatchObject([
    { kind: 'charge', pool: 'weekly_grant', amount_credits: -fresh_credits },
    { kind: 'grant', pool: 'weekly_grant', amount_credits: fresh_credits },
  ]);
  expectProblem(await caller.buy(anEvent()), 'insufficient_credits');
});

test('after all of these the books agree', async () => {
  expect(await reconcile(service.database.db)).toEqual([]);
});
