import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { saveEvent } from '../../../db/reports/events.js';
import { event, market } from '../../council/fixtures.js';
import { bought, refund } from '../../db/support/purchases.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { footprint, hasWorkflow } from '../../support/machine/footprint.js';
import { parseSamples, total } from '../../support/machine/scrape.js';
import { setPrice } from '../../support/service/set-price.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService();

const present = () => new Date(Date.now() + service.clock.offsetMs);

/** A fresh purchase that no worker hears of. */
async function plantRun(accountId: string, eventId: string) {
  const { db } = service.database;
  const [now, purchaseId] = [present(), randomUUID()];
  await saveEvent(db, event([market({ name: 'Rain' })], { eventId }), now);
  await bought(db, { accountId, eventId, purchaseId, utcDay: now.toISOString().slice(0, 10) }, { now });
  return { accountId, purchaseId };
}

test('a run that fails is refunded in full, is neither cached nor owned, and does not count as a run', async () => {
  await setPrice(service.database.db, 120);
  const caller = await service.newCaller(120);
  const eventId = 'sample-chess-knockout-2031';
  service.simulator.setFault({}, { kind: 'http', status: 403 });
  const report = await caller.run(eventId);
  service.simulator.clearFaults();
  expect(report).toMatchObject({
    status: 'failed',
    failure: { code: 'quorum_lost', detail: expect.stringMatching(/\S/) },
    completed_at: null,
  });
  expect(await caller.balance()).toBe(120);
  const [refund, charge] = await caller.ledger();
  const { pool } = charge;
  expect(refund).toMatchObject({ kind: 'refund', amount_credits: 120, balance_after: 120, pool });
  expect(charge).toMatchObject({ kind: 'charge', amount_credits: -120, balance_after: 0 });
  expect([refund.report_id, charge.report_id]).toEqual([report.id, report.id]);
  expect((await caller.get(`/api/reports/check/${eventId}`)).body).toMatchObject({
    has_cached_report: false,
    already_purchased: false,
    cost_credits: 120,
  });
  const again = await caller.buy(eventId);
  expect(again.status).toBe(202);
  expect(again.headers.get('ratelimit')).toBe('"runs";r=4;t=0');
  expect(again.body.report_id).not.toBe(report.id);
  expect((await caller.untilEnded(again.body.report_id)).status).toBe('completed');
});

test('an account with too few credits gets the price and its balance, and nothing is recorded', async () => {
  await setPrice(service.database.db, 120);
  const caller = await service.newCaller(119);
  const poor = await service.newCaller(10);
  const before = await footprint(service);
  const answer = await caller.buy('sample-expo-host-2031');
  expectProblem(answer, 'insufficient_credits');
  expect(answer.body).toMatchObject({ cost_credits: 120, balance_credits: 119 });
  const cached = await poor.buy('sample-chess-knockout-2031');
  expectProblem(cached, 'insufficient_credits');
  expect(cached.body).toMatchObject({ cost_credits: 60, balance_credits: 10 });
  expect(await footprint(service)).toEqual(before);
  expect(await hasWorkflow(service, caller.accountId, 'sample-expo-host-2031')).toBe(false);
});

test('a quote near the price is honoured, and the lower of the two is charged', async () => {
  await setPrice(service.database.db, 138);
  const buyer = await service.newCaller(120);
  const { status, body } = await buyer.buy('sample-calder-mayor-2031', { quoted_credits: 120 });
  expect([status, body.credits_spent, await buyer.balance()]).toEqual([202, 120, 0]);
  await buyer.untilEnded(body.report_id);
});

test('a quote that has expired is answered with the new price, which buys under the same Idempotency-Key', async () => {
  const caller = await service.newCaller(1_000);
  const eventId = 'sample-oil-ladder-2031';
  await setPrice(service.database.db, 200);
  const before = await footprint(service);
  const buy = (quoted_credits: number) =>
    caller.buy(eventId, { quoted_credits }, { 'idempotency-key': 'kept' });
  for (const quoted of [0, 120, 1_000_000]) {
    const refused = await buy(quoted);
    expectProblem(refused, 'quote_expired');
    expect(refused.body.cost_credits).toBe(200);
  }
  expect(await footprint(service)).toEqual(before);
  expect(await hasWorkflow(service, caller.accountId, eventId)).toBe(false);
  const { status, body } = await buy(200);
  expect([status, body.credits_spent]).toEqual([202, 200]);
  await caller.untilEnded(body.report_id);
  // The price follows the cost of runs.
  const { fresh_credits: moved } = (await caller.get('/api/credits/pricing')).body;
  expect(moved).not.toBe(200);
  expect(Math.abs(moved - 200)).toBeLessThanOrEqual(10);
});

test('after five fresh runs in an hour the sixth is refused, says when to retry, and records nothing', async () => {
  const caller = await service.newCaller(10_000);
  for (const title of ['first', 'second', 'third', 'fourth']) await plantRun(caller.accountId, title);
  const fifth = await caller.buy('sample-hottest-year-2031');
  expect(fifth.status).toBe(202);
  expect(fifth.headers.get('ratelimit')).toMatch(/^"runs";r=0;t=3[56]\d\d$/);
  await caller.untilEnded(fifth.body.report_id);

  const sixth = 'sample-fed-cut-2031';
  const [balance, before] = [await caller.balance(), await footprint(service)];
  const refused = await caller.buy(sixth);
  expectProblem(refused, 'run_limit_exceeded');
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(3_500);
  expect(seconds).toBeLessThanOrEqual(3_600);
  expect(refused.headers.get('ratelimit-policy')).toBe('"runs";q=5;w=3600');
  const reset = /^"runs";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '')?.[1];
  expect(Number(reset)).toBeGreaterThan(0);
  expect(Number(reset)).toBeLessThanOrEqual(seconds);
  expect(await footprint(service)).toEqual(before);
  expect(await caller.balance()).toBe(balance);
  expect(await hasWorkflow(service, caller.accountId, sixth)).toBe(false);

  service.clock.offsetMs = (seconds + 1) * 1_000;
  expect((await caller.buy(sixth)).status).toBe(202);
});

test('an event whose runs failed twice within 15 minutes rests, for everybody, and the answer says for how long', async () => {
  const eventId = 'sample-expo-host-2031';
  for (const _ of ['first', 'second']) {
    const { accountId } = await service.newCaller(1_000);
    await refund(service.database.db, await plantRun(accountId, eventId), present());
  }
  const caller = await service.newCaller(1_000);
  const before = await footprint(service);
  const refused = await caller.buy(eventId);
  expectProblem(refused, 'unavailable');
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(840);
  expect(seconds).toBeLessThanOrEqual(900);
  expect(refused.headers.get('ratelimit')).toBe('"runs";r=5;t=0');
  expect(await footprint(service)).toEqual(before);
  expect(await hasWorkflow(service, caller.accountId, eventId)).toBe(false);
  const samples = parseSamples(await service.metrics.registry.metrics());
  expect(total(samples, 'council_purchases_total', { answer: 'event_rests' })).toBe(1);
  expect(total(samples, 'council_purchases_total', { answer: 'unavailable' })).toBe(0);
  expect(total(samples, 'council_problems_total', { code: 'unavailable' })).toBe(1);
  expect((await caller.get(`/api/reports/check/${eventId}`)).status).toBe(200);

  service.clock.offsetMs += seconds * 1_000;
  const { status, body } = await caller.buy(eventId);
  expect(status).toBe(202);
  expect(await caller.untilEnded(body.report_id)).toMatchObject({ status: 'completed' });
});
