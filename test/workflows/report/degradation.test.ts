import { afterEach, describe, expect, test } from '@jest/globals';
import { useTestService } from '../../support/use-service.js';

/** Extra time for a busy machine. A model that hangs does so for minutes, so waiting for it exceeds this. */
const slackMs = 6_000;
const deadlinesMs = { opinions: 4_000, cross_review: 3_600, synthesis: 4_000 };
const researchDeadlineMs = 2_000;

const service = await useTestService({ stageDeadlinesMs: deadlinesMs, researchDeadlineMs });
const { simulator } = service;
afterEach(() => simulator.clearFaults());

async function run(eventId: string) {
  const caller = await service.newCaller(1_000);
  const [begun, before] = [Date.now(), simulator.calls.length];
  const report = await caller.run(eventId);
  return { caller, report, tookMs: Date.now() - begun, calls: simulator.calls.slice(before) };
}

test('a member or a chairman that hangs, or that asks for a pause, has the time of its stage and no more', async () => {
  simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'hang' });
  // The pause after a failed call counts, so that the second call of four seconds has one second left.
  const tooMany = (retry_after: string) => ({ kind: 'http', status: 429, retry_after }) as const;
  simulator.setFault({ model: 'gemini', stage: 'opinions', times: 1 }, tooMany('3'));
  simulator.setFault({ model: 'gemini', stage: 'opinions' }, { kind: 'hang' });
  simulator.setFault({ model: 'grok', stage: 'opinions' }, tooMany('3600'));
  const { report, tookMs, calls } = await run('sample-crewed-moon-landing-2031');
  expect(tookMs).toBeLessThan(6_000 + slackMs);
  expect(report.status).toBe('completed');
  expect(report.council_config.runtime).toMatchObject({
    chairman: 'gpt',
    synthesis: { chairman: 'gpt', replaced: [{ model: 'claude', reason: 'timed out after 2 s' }] },
  });
  expect(report.council_config.runtime.provider_failures).toEqual({
    gemini: 'timed out after 4 s at opinions',
    grok: 'rate limited at opinions',
  });
  const opinionsOf = (asked: string) =>
    calls.filter(({ model, stage }) => model === asked && stage === 'opinions').map(({ at }) => at);
  const [first = 0, second = 0] = opinionsOf('gemini');
  expect(second - first).toBeGreaterThanOrEqual(2_990);
  expect(opinionsOf('grok')).toHaveLength(1);
  const recorded = await service.database.db
    .selectFrom('provider_calls')
    .select(['outcome', 'latency_ms as latencyMs'])
    .where('report_id', '=', report.id)
    .where('model', '=', 'gemini')
    .where('stage', '=', 'opinions')
    .orderBy('id')
    .execute();
  expect(recorded.map(({ outcome }) => outcome)).toEqual(['rate_limited', 'timed_out']);
  expect(recorded[1]?.latencyMs).toBeLessThan(3_000);
});

describe('a council in which most members hang at every stage', () => {
  test('completes within the sum of its stage deadlines', async () => {
    simulator.setFault({ stage: 'research' }, { kind: 'hang' });
    for (const model of ['gemini', 'grok'] as const) {
      simulator.setFault({ model, stage: 'opinions' }, { kind: 'hang' });
    }
    simulator.setFault({ stage: 'cross_review' }, { kind: 'hang' });
    simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'hang' });
    const { report, tookMs } = await run('sample-fed-cut-2031');
    const { opinions, cross_review, synthesis } = deadlinesMs;
    expect(tookMs).toBeLessThan(researchDeadlineMs + opinions + cross_review + synthesis + slackMs);
    expect(report.council_config.runtime).toMatchObject({ models: ['claude', 'gpt'], chairman: 'gpt' });
    expect(report.council_config.runtime.provider_failures).toEqual({
      claude: 'timed out after 4 s at cross-review',
      gpt: 'timed out after 4 s at cross-review',
      gemini: 'timed out after 4 s at opinions',
      grok: 'timed out after 4 s at opinions',
    });
  });

  test('is refunded at the first deadline when all hang, and its report can be bought again on the same day', async () => {
    simulator.setFault({}, { kind: 'hang' });
    const { caller, report, tookMs } = await run('sample-ridge-derby-2031');
    expect(tookMs).toBeLessThan(researchDeadlineMs + deadlinesMs.opinions + slackMs);
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
    expect(await caller.balance()).toBe(1_000);
    simulator.clearFaults();
    const again = await caller.buy('sample-ridge-derby-2031');
    expect(again.status).toBe(202);
    expect(again.body.report_id).not.toBe(report.id);
    expect((await caller.untilEnded(again.body.report_id)).status).toBe('completed');
  });
});
