import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpinionView } from '../../../contract/deliberation.js';
import { councilModels } from '../../../council/models.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

/** Extra time for a busy machine. A model that hangs does so for minutes, so waiting for it exceeds this. */
const slackMs = 6_000;

let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService({
    stageDeadlinesMs: { opinions: 4_000, cross_review: 4_000, synthesis: 4_000 },
  });
});

afterAll(() => service.stop());

afterEach(() => service.simulator.clearFaults());

async function run(eventId: string) {
  caller = await service.newCaller(1_000);
  const { body } = await caller.buy(eventId);
  return caller.untilEnded(body.report_id);
}

describe('a council that loses members', () => {
  test('continues without a member that fails its opinion, and names it', async () => {
    service.simulator.setFault({ model: 'gpt' }, { kind: 'http', status: 401 });
    const report = await run('sample-fed-cut-2031');
    expect(report.status).toBe('completed');
    expect(report.council_config.runtime).toMatchObject({
      degraded: true,
      models: ['claude', 'gemini', 'grok'],
      provider_failures: { gpt: 'was not authorised at opinions' },
    });
    expect(report.deliberation.opinions).toHaveLength(3);
    expect(report.deliberation.cross_review.reviews).toHaveLength(3);
  });

  test('counts the first opinion of a member that fails its review', async () => {
    service.simulator.setFault({ model: 'grok', stage: 'cross_review' }, { kind: 'refusal' });
    const report = await run('sample-bitcoin-high-2031');
    expect(report.council_config.runtime).toMatchObject({
      degraded: true,
      models: ['claude', 'gpt', 'gemini', 'grok'],
      provider_failures: { grok: 'refused to answer at cross-review' },
    });
    expect(report.deliberation.cross_review.reviews).toHaveLength(3);
  });

  test('is chaired by the next healthy member when the chairman fails, and is not degraded by that', async () => {
    service.simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'invalid_json' });
    const report = await run('sample-hottest-year-2031');
    expect(report.council_config.runtime).toMatchObject({
      chairman: 'gpt',
      degraded: false,
      provider_failures: {},
      synthesis: { chairman: 'gpt', replaced: [{ model: 'claude', reason: 'gave an invalid answer' }] },
    });
    expect(report.dropouts).toMatchObject([{ model: 'claude', stage: 'synthesis' }]);
    expect(report.deliberation.synthesis.model).toBe('gpt');
  });

  test('waits for a member or a chairman that hangs only until the deadline of the stage', async () => {
    service.simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'hang' });
    // The pause after a failed call counts, so that the second call of four seconds has one second left.
    service.simulator.setFault(
      { model: 'gemini', stage: 'opinions', times: 1 },
      { kind: 'http', status: 429, retry_after: '3' },
    );
    service.simulator.setFault({ model: 'gemini', stage: 'opinions' }, { kind: 'hang' });
    const begun = Date.now();
    const report = await run('sample-crewed-moon-landing-2031');
    expect(Date.now() - begun).toBeLessThan(6_000 + slackMs);
    expect(report.status).toBe('completed');
    expect(report.council_config.runtime.provider_failures).toEqual({
      gemini: 'timed out after 4 s at opinions',
    });
    expect(report.council_config.runtime).toMatchObject({
      chairman: 'gpt',
      synthesis: { chairman: 'gpt', replaced: [{ model: 'claude', reason: 'timed out after 2 s' }] },
    });
    const calls = await service.database.db
      .selectFrom('provider_calls')
      .select(['outcome', 'latency_ms as latencyMs'])
      .where('report_id', '=', report.id)
      .where('model', '=', 'gemini')
      .where('stage', '=', 'opinions')
      .orderBy('id')
      .execute();
    expect(calls.map(({ outcome }) => outcome)).toEqual(['rate_limited', 'timed_out']);
    expect(calls[1]?.latencyMs).toBeLessThan(3_000);
  });

  test('retries after the delay that a vendor requests, and not at all when the delay is too long', async () => {
    service.simulator.setFault(
      { model: 'gpt', stage: 'opinions', times: 1 },
      { kind: 'http', status: 429, retry_after: '2' },
    );
    service.simulator.setFault(
      { model: 'grok', stage: 'opinions' },
      { kind: 'http', status: 429, retry_after: '3600' },
    );
    const before = service.simulator.calls.length;
    const report = await run('sample-ridge-derby-2031');
    const calls = service.simulator.calls.slice(before).filter(call => call.stage === 'opinions');
    const [first, second] = calls.filter(call => call.model === 'gpt');
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(1_990);
    expect(calls.filter(call => call.model === 'grok')).toHaveLength(1);
    expect(report.council_config.runtime.models).toEqual(['claude', 'gpt', 'gemini']);
    expect(report.council_config.runtime.provider_failures).toEqual({ grok: 'rate limited at opinions' });
  });

  test('loses no member when the clock of a worker is two days ahead', async () => {
    service.clock.offsetMs = 2 * 86_400_000;
    try {
      const report = await run('sample-exoplanet-claims-2031');
      expect(report.council_config.runtime).toMatchObject({ degraded: false, provider_failures: {} });
    } finally {
      service.clock.offsetMs = 0;
    }
  });

  test('repairs one invalid answer, and does not ask a third time', async () => {
    service.simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, { kind: 'wrong_sum' });
    service.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'unknown_outcome' });
    const before = service.simulator.calls.length;
    const report = await run('sample-song-contest-2031');
    const calls = service.simulator.calls.slice(before).filter(call => call.stage === 'opinions');
    expect(calls.filter(call => call.model === 'gpt')).toHaveLength(2);
    expect(calls.filter(call => call.model === 'grok')).toHaveLength(2);
    const attempts = report.deliberation.opinions.map((each: OpinionView) => [each.model, each.attempts]);
    expect(Object.fromEntries(attempts)).toEqual({ claude: 1, gpt: 2, gemini: 1 });
    expect(report.council_config.runtime.models).toEqual(['claude', 'gpt', 'gemini']);
  });
});

describe('an answer that is cut off at its length limit', () => {
  /** What each call of the member at the opinions was allowed, in order. */
  const roomsOf = (model: string, before: number) =>
    service.simulator.calls
      .slice(before)
      .filter(call => call.model === model && call.stage === 'opinions')
      .map(({ limits }) => limits.maxOutputTokens);

  test('is requested once more with twice the room, and every call is counted', async () => {
    service.simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, { kind: 'truncated' });
    const before = service.simulator.calls.length;
    const report = await run('sample-harbour-cup-final-2031');
    expect(report.council_config.runtime).toMatchObject({ degraded: false, provider_failures: {} });
    expect(roomsOf('gpt', before)).toEqual([8_000, 16_000]);
    expect(report.deliberation.opinions.find(({ model }: OpinionView) => model === 'gpt').attempts).toBe(2);
  });

  test('gets more room once over all attempts of a step', async () => {
    service.simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, { kind: 'truncated' });
    const busy = { kind: 'http', status: 503 } as const;
    service.simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, busy);
    service.simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, { kind: 'truncated' });
    const before = service.simulator.calls.length;
    const report = await run('sample-calder-mayor-2031');
    expect(roomsOf('gpt', before)).toEqual([8_000, 16_000, 16_000]);
    expect(report.council_config.runtime.provider_failures).toEqual({
      gpt: 'gave an answer that was cut off at its length limit at opinions',
    });
    expect(report.dropouts).toMatchObject([{ model: 'gpt', kind: 'invalid_answer' }]);
  });

  test('is asked of each model with the effort that the catalogue has for the stage', async () => {
    const before = service.simulator.calls.length;
    await run('sample-warm-superconductor-2032');
    const asked = service.simulator.calls
      .slice(before)
      .map(({ stage, limits }) => `${stage} ${limits.effort}`);
    expect(new Set(asked)).toEqual(new Set(['opinions medium', 'cross_review low', 'synthesis low']));
  });
});

describe('a council in which most members hang at every stage', () => {
  const deadlinesMs = { opinions: 3_000, cross_review: 2_600, synthesis: 4_000 };
  const researchDeadlineMs = 2_000;
  let hasty: TestService;

  beforeAll(async () => {
    hasty = await startTestService({ stageDeadlinesMs: deadlinesMs, researchDeadlineMs });
  });
  afterAll(() => hasty.stop());

  test('completes within the sum of its stage deadlines', async () => {
    hasty.simulator.setFault({ stage: 'research' }, { kind: 'hang' });
    for (const model of ['gemini', 'grok'] as const) {
      hasty.simulator.setFault({ model, stage: 'opinions' }, { kind: 'hang' });
    }
    hasty.simulator.setFault({ stage: 'cross_review' }, { kind: 'hang' });
    hasty.simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'hang' });
    const buyer = await hasty.newCaller(1_000);
    const begun = Date.now();
    const { body } = await buyer.buy('sample-fed-cut-2031');
    const report = await buyer.untilEnded(body.report_id);
    const { opinions, cross_review, synthesis } = deadlinesMs;
    const allStagesMs = researchDeadlineMs + opinions + cross_review + synthesis;
    expect(Date.now() - begun).toBeLessThan(allStagesMs + slackMs);
    expect(report.council_config.runtime).toMatchObject({ models: ['claude', 'gpt'], chairman: 'gpt' });
    expect(report.council_config.runtime.provider_failures).toEqual({
      claude: 'timed out after 3 s at cross-review',
      gpt: 'timed out after 3 s at cross-review',
      gemini: 'timed out after 3 s at opinions',
      grok: 'timed out after 3 s at opinions',
    });
  });

  test('is refunded at the first deadline when all members hang', async () => {
    hasty.simulator.setFault({}, { kind: 'hang' });
    const buyer = await hasty.newCaller(1_000);
    const begun = Date.now();
    const { body } = await buyer.buy('sample-ridge-derby-2031');
    const report = await buyer.untilEnded(body.report_id);
    expect(Date.now() - begun).toBeLessThan(researchDeadlineMs + deadlinesMs.opinions + slackMs);
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
    expect(await buyer.balance()).toBe(1_000);
  });
});

describe('a council that cannot complete', () => {
  test.each([
    ['no member answers', councilModels, 'opinions', 'quorum_lost', 'sample-expo-host-2031'],
    [
      'only one member answers',
      ['claude', 'gpt', 'gemini'],
      'opinions',
      'quorum_lost',
      'sample-chess-knockout-2031',
    ],
    ['no member can chair', councilModels, 'synthesis', 'no_chairman', 'sample-oil-ladder-2031'],
  ] as const)(
    'refunds exactly what it charged, to the same pool, when %s',
    async (_what, models, stage, code, eventId) => {
      for (const model of models) service.simulator.setFault({ model, stage }, { kind: 'http', status: 403 });
      const report = await run(eventId);
      expect(report).toMatchObject({ status: 'failed', failure: { code }, completed_at: null });
      const [refund, charge] = await caller.ledger();
      expect(charge).toMatchObject({ kind: 'charge', pool: 'purchased', report_id: report.id });
      expect(refund).toMatchObject({ kind: 'refund', pool: 'purchased', report_id: report.id });
      expect(refund.amount_credits).toBe(-charge.amount_credits);
      expect(await caller.balance()).toBe(1_000);
    },
  );

  test('can be bought again on the same day: a failed report is neither cached nor owned', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const failed = await run('sample-great-quake-2031');
    service.simulator.clearFaults();
    const again = await caller.buy('sample-great-quake-2031');
    expect(again.status).toBe(202);
    expect(again.body.report_id).not.toBe(failed.id);
    expect((await caller.untilEnded(again.body.report_id)).status).toBe('completed');
  });
});
