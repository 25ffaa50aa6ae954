import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { OpinionView } from '../../../contract/deliberation.js';
import { startTcpProxy } from '../../support/service/tcp-proxy.js';
import { createTestDatabase } from '../../support/service/test-database.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { replaceableActivities } from '../support/replaceable-activities.js';

const deadlineMs = 3_000;
const { real, replaced, around } = replaceableActivities();
const proxy = await startTcpProxy(new URL(process.env['TEST_DATABASE_URL'] ?? '').host);
const database = await createTestDatabase(proxy);
const service = await useTestService({
  database,
  stageDeadlinesMs: { opinions: deadlineMs, cross_review: deadlineMs, synthesis: 2 * deadlineMs },
  around,
});
afterAll(async () => {
  await database.drop();
  await proxy.cut();
});
afterEach(() => service.simulator.clearFaults());

/** Keeps the database away until the deadline of a stage that begins now has passed. */
async function outlastDeadline(): Promise<void> {
  const end = Date.now() + deadlineMs + 1_000;
  await until('the deadline of the stage has passed', () => Date.now() > end);
}

async function buy(eventId: string) {
  const caller = await service.newCaller(500);
  const before = service.simulator.calls.length;
  const { body } = await caller.buy(eventId);
  return { caller, reportId: body.report_id, calls: () => service.simulator.calls.slice(before) };
}

async function expectWhole({ caller, reportId, calls }: Awaited<ReturnType<typeof buy>>) {
  const report = await caller.untilEnded(reportId);
  expect(report).toMatchObject({
    status: 'completed',
    council_config: { runtime: { degraded: false, provider_failures: {} } },
  });
  expect(calls()).toHaveLength(4 + 4 + 1);
  const recorded = database.db
    .selectFrom('provider_calls')
    .select('outcome')
    .where('report_id', '=', reportId);
  expect(await recorded.execute()).toEqual(Array.from({ length: 9 }, () => ({ outcome: 'answered' })));
  expect(report.deliberation.opinions.map(({ attempts }: OpinionView) => attempts)).toEqual([1, 1, 1, 1]);
}

describe('while the database is away for longer than a stage may take', () => {
  test('answers that have arrived are kept and stored later: no model is asked twice, and none is lost', async () => {
    const release = service.simulator.hold({ stage: 'opinions' });
    const run = await buy('sample-fed-cut-2031');
    await until('the members are asked', () => run.calls().length === 4);
    await proxy.cut();
    release();
    await outlastDeadline();
    await proxy.restore();
    await expectWhole(run);
  });

  test('a stage that has not begun waits for it, with the whole time of its members', async () => {
    let isCut = false;
    replaced.askReview = async call => {
      if (!isCut) {
        isCut = true;
        await proxy.cut();
      }
      return real.askReview(call);
    };
    const run = await buy('sample-expo-host-2031');
    await until('the database is away', () => isCut);
    await outlastDeadline();
    await proxy.restore();
    await expectWhole(run);
  });
});
