import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { idempotencyOf } from '../../../api/purchases/idempotency.js';
import type { CouncilModel } from '../../../council/models.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';
import { replaceableActivities } from '../support/replaceable-activities.js';

/** A caller who asks for as many opinions gets them, or the money back. */
const markets = createSampleEventCopies();
const { real, replaced, around } = replaceableActivities();
const service = await useTestService({ markets, around });

afterEach(() => service.simulator.clearFaults());

const lose = (...models: readonly CouncilModel[]) => {
  for (const model of models) service.simulator.setFault({ model, stage: 'opinions' }, { kind: 'refusal' });
};

const newEvent = () => markets.retell('sample-fed-cut-2031');

const check = async (caller: TestCaller, eventId: string, query = '') =>
  (await caller.get(`/api/reports/check/${eventId}${query}`)).body;

test.each([
  [4, 3],
  [4, 2],
  [3, 2],
])(
  'with min_members %i, a run with %i opinions fails as quorum_lost and is refunded in full',
  async (asked, got) => {
    lose(...(['claude', 'gpt'] as const).slice(0, 4 - got));
    const caller = await service.newCaller(500);
    const report = await caller.run(newEvent(), { min_members: asked });
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
    expect(await caller.balance()).toBe(500);
  },
);

test.each([
  [3, 3],
  [2, 2],
  [undefined, 2],
])('with min_members %s, a run with %i opinions is completed', async (asked, got) => {
  lose(...(['claude', 'gpt'] as const).slice(0, 4 - got));
  const caller = await service.newCaller(500);
  const more = asked === undefined ? {} : { min_members: asked };
  const report = await caller.run(newEvent(), more);
  expect(report).toMatchObject({ status: 'completed' });
  expect(report.council_config.runtime.models).toHaveLength(got);
});

test('it counts also when the answer to the purchase was lost after the charge', async () => {
  replaced.purchaseReport = async input => {
    await real.purchaseReport(input);
    throw ApplicationFailure.nonRetryable('the answer was lost', 'Error');
  };
  lose('claude');
  const caller = await service.newCaller(500);
  const report = await caller.run(newEvent(), { min_members: 4 });
  delete replaced.purchaseReport;
  expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
  expect(await caller.balance()).toBe(500);
});

test('a cached report with fewer opinions is not sold, and one with enough is, though it is the later one', async () => {
  const eventId = newEvent();
  lose('claude');
  const [first, second, third] = [
    await service.newCaller(500),
    await service.newCaller(500),
    await service.newCaller(500),
  ];
  const small = await first.run(eventId);
  expect(small.council_config.runtime.models).toHaveLength(3);
  service.simulator.clearFaults();
  expect(await check(second, eventId, '?min_members=3')).toMatchObject({ has_cached_report: true });
  const fresh = await check(second, eventId, '?min_members=4');
  expect(fresh).toMatchObject({ has_cached_report: false });
  const whole = await second.buy(eventId, { min_members: 4 });
  expect(whole).toMatchObject({ status: 202, body: { cached: false, credits_spent: fresh.cost_credits } });
  await second.untilEnded(whole.body.report_id);
  const shared = await third.buy(eventId, { min_members: 4 });
  expect(shared).toMatchObject({ status: 200, body: { cached: true, report_id: whole.body.report_id } });
});

test('an owned report stays owned, however many opinions it has', async () => {
  const eventId = newEvent();
  lose('claude');
  const caller = await service.newCaller(500);
  const { id } = await caller.run(eventId);
  expect(await check(caller, eventId, '?min_members=4')).toMatchObject({ already_purchased: true });
  expect((await caller.buy(eventId, { min_members: 4 })).body).toMatchObject({
    report_id: id,
    credits_spent: 0,
  });
});

test('it is part of what an Idempotency-Key is compared with, and a key of before it replays', async () => {
  const caller = await service.newCaller(500);
  const eventId = newEvent();
  const key = { 'idempotency-key': 'once' };
  const { body } = await caller.buy(eventId, {}, key);
  expect((await caller.buy(eventId, { min_members: 2 }, key)).body.report_id).toBe(body.report_id);
  expectProblem(await caller.buy(eventId, { min_members: 3 }, key), 'idempotency_mismatch');
  await caller.untilEnded(body.report_id);
  const before = createHash('sha256').update('[["event_id","e"],["lane","credits"]]').digest('hex');
  expect(idempotencyOf('once', { event_id: 'e', lane: 'credits' }, 'e')?.fingerprint).toBe(before);
});

test.each([1, 5, 2.5, '3'])('min_members cannot be %p', async min_members => {
  const caller = await service.newCaller(500);
  const refused = await caller.buy('sample-fed-cut-2031', { min_members });
  expectProblem(refused, 'invalid_request');
  expect(refused.body.errors).toMatchObject([{ pointer: '#/min_members' }]);
});
