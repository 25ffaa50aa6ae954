import { afterEach, describe, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { lostGapText } from '../../../contract/report-text/gap-text.js';
import { callStages } from '../../../council/deliberation/stages.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution } from '../../../council/market/prices.js';
import { councilModels } from '../../../council/models.js';
import type { Fault } from '../../../simulator/faults.js';
import { telltale } from '../../council/prompts/prompt-scan.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const synthesisMs = 8_000;
const events = createSampleEventCopies();
/** What the activity does in place of asking. */
let inPlaceOfAsking: (() => Promise<never>) | null = null;
const service = await useTestService({
  markets: events,
  researchDeadlineMs: 8_000,
  stageDeadlinesMs: { opinions: 8_000, cross_review: 8_000, synthesis: synthesisMs },
  around: real => ({ ...real, askMarketGap: call => inPlaceOfAsking?.() ?? real.askMarketGap(call) }),
});
const { simulator } = service;
afterEach(() => {
  simulator.clearFaults();
  inPlaceOfAsking = null;
});

const far = { Alpha: 40, Beta: 40, Gamma: 20 };
/** As the market has it. */
const near = { Alpha: 61.9, Beta: 25.6, Gamma: 12.5 };
const canary = 'The canary sang in the price.';
const reasons = { market_may_know: canary, council_may_know: 'The rules name the jury.' };
const says = (answer: object): Fault => ({ kind: 'says', text: JSON.stringify(answer) });
const tooLong = says({ ...reasons, council_may_know: 'word '.repeat(250) });

/** A new event whose prices occur nowhere else. */
const newEvent = () =>
  events.retell('sample-ridge-derby-2031', ({ source, closesAt }) => ({ ...telltale, source, closesAt }));

async function run(eventId = newEvent()) {
  const caller = await service.newCaller(1_000);
  const before = simulator.calls.length;
  const begun = Date.now();
  const report = await caller.run(eventId);
  return { caller, report, tookMs: Date.now() - begun, calls: simulator.calls.slice(before) };
}

const gapsStored = async () => {
  const { rows } = await service.database.pool.query(
    `select from stage_results where stage = 'market_gap' and answer::text like $1`,
    [`%${canary}%`],
  );
  return rows.length;
};

/** Every price of the event, as the market quotes it and as the report publishes it, in every notation. */
function notations(): string[] {
  const { fractions } = impliedDistribution(outcomeSet(telltale));
  const quoted = telltale.markets.flatMap(({ bestBid, bestAsk, lastTrade }) => [bestBid, bestAsk, lastTrade]);
  const mids = telltale.markets.map(({ bestBid, bestAsk }) => ((bestBid ?? 0) + (bestAsk ?? 0)) / 2);
  const prices = [...quoted, ...mids, ...fractions].flatMap(price => (price === null ? [] : [price]));
  const texts = prices.flatMap(price => {
    const percents = [0, 1, 2].map(digits => (100 * price).toFixed(digits));
    const [whole = '', ...decimal] = percents;
    return [
      ...[3, 4].map(digits => price.toFixed(digits)),
      ...['%', ' %', '¢', ' cents', ' percent'].map(unit => `${whole}${unit}`),
      ...decimal.filter(percent => !/\.0+$/.test(percent)),
      ...decimal.map(percent => `${percent.replace('.', ',')} %`),
    ];
  });
  return [...new Set(texts)];
}

test('a price is found in the question about it and nowhere else, also where members are asked again', async () => {
  simulator.setFault({ stage: 'market_gap', times: 1 }, tooLong);
  simulator.setFault({ stage: 'market_gap' }, says(reasons));
  for (const model of councilModels)
    for (const stage of ['opinions', 'cross_review'] as const)
      simulator.setFault({ model, stage, times: 1 }, { kind: 'unknown_outcome' });
  simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'refusal' });
  simulator.setFault({ model: 'gpt', stage: 'synthesis', times: 1 }, { kind: 'invalid_json' });
  scriptCouncil(service, { percents: far });
  // The second chairman is asked when the explanation is stored, so that it could be read.
  const release = simulator.hold({ model: 'claude', stage: 'synthesis' });
  const stored = await gapsStored();
  const running = run();
  await until('the explanation is stored', async () => (await gapsStored()) > stored);
  release();
  const { report, calls } = await running;

  const asked = callStages.map(stage => [stage, calls.filter(call => call.stage === stage).length]);
  const twice = { opinions: 8, cross_review: 8, synthesis: 1 + 2, market_gap: 2 };
  expect(Object.fromEntries(asked)).toEqual({ research: 3, ...twice });
  const holding = notations().map(notation => {
    const stages = calls.filter(({ system, user }) => `${system}\n${user}`.includes(notation));
    return [notation, new Set(stages.map(({ stage }) => stage))] as const;
  });
  const found = holding.filter(([, stages]) => stages.size > 0);
  expect(found).toEqual([['61.9', new Set(['market_gap'])]]);
  expect(report.council_config.runtime.market_gap).toEqual({
    outcome: 'Alpha',
    council: 40,
    market: 61.9,
    points: 21.9,
  });

  const reading = calls.filter(({ user }) => user.includes(canary) || user.includes('word word'));
  expect(reading.map(({ stage, model }) => `${stage} ${model}`)).toEqual(['market_gap gpt']);
  const { market_gap, synthesis } = report.deliberation;
  expect(synthesis.model).toBe('gpt');
  expect(market_gap).toMatchObject({ model: 'gpt', attempts: 2, ...reasons });
});

describe('the explanation', () => {
  test('is not asked for where council and market are close', async () => {
    scriptCouncil(service, { percents: near });
    const { report, calls } = await run();
    expect(calls.filter(({ stage }) => stage === 'market_gap')).toEqual([]);
    expect(report.council_config.runtime.market_gap).toBeNull();
    expect(report.deliberation.market_gap).toBeNull();
    expect(lostGapText(report.council_config.runtime, report.deliberation)).toBeNull();
  });

  test('ends with the synthesis, so that one task of the workflow can report both', async () => {
    simulator.setFault({ stage: 'market_gap' }, says(reasons));
    scriptCouncil(service, { percents: far });
    const release = simulator.hold({ model: 'claude', stage: 'synthesis' });
    const stored = await gapsStored();
    const caller = await service.newCaller(1_000);
    const eventId = newEvent();
    const { body } = await caller.buy(eventId);
    await until('the explanation is stored', async () => (await gapsStored()) > stored);
    const { raw } = await service.temporal.workflow.getHandle(caller.workflowId(eventId)).describe();
    const pending = (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name);
    expect(new Set(pending)).toEqual(new Set(['askMarketGap', 'askSynthesis']));
    release();
    expect((await caller.untilEnded(body.report_id)).deliberation.market_gap).toMatchObject(reasons);
  });

  test('is recorded and paid like every other answer, and counts as no progress', async () => {
    scriptCouncil(service, { percents: far });
    const release = simulator.hold({ model: 'gpt', stage: 'market_gap' });
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(newEvent());
    const progress = async () => (await caller.get(`/api/reports/${body.report_id}`)).body.progress;
    await until('the synthesis is written', async () => {
      const { stage, done } = await progress();
      return stage === 'synthesis' && done === 1;
    });
    expect(await progress()).toEqual({ stage: 'synthesis', done: 1, of: 1, answered: ['claude'] });
    release();
    const report = await caller.untilEnded(body.report_id);
    expect(report.deliberation.market_gap.model).toBe('gpt');
    const { rows } = await service.database.pool.query(
      `select model, outcome, used, lane, cost_usd_micros > 0 as paid from provider_calls
       where report_id = $1 and stage = 'market_gap'`,
      [report.id],
    );
    expect(rows).toEqual([{ model: 'gpt', outcome: 'answered', used: true, lane: 'credits', paid: true }]);
  });

  const internal = () => Promise.reject(ApplicationFailure.nonRetryable('a defect', 'internal'));
  test.each<[string, Fault | (() => Promise<never>)]>([
    ['is refused', { kind: 'refusal' }],
    ['is too long twice', tooLong],
    ['is invalid twice', { kind: 'invalid_json' }],
    ['is cut off twice', { kind: 'truncated' }],
    ['needs a key that is not accepted', { kind: 'http', status: 401 }],
    ['has to wait for an hour', { kind: 'http', status: 429, retry_after: '3600' }],
    ['never comes', { kind: 'hang' }],
    ['fails by a defect of ours', internal],
    ['fails by an outage of ours', () => Promise.reject(new Error('the database is away'))],
    ['waits for a worker that never answers', () => Context.current().cancelled],
  ])('is lost without a consequence when it %s', async (_, loss) => {
    scriptCouncil(service, { percents: far });
    if (typeof loss === 'function') inPlaceOfAsking = loss;
    else simulator.setFault({ stage: 'market_gap' }, loss);
    const { caller, report, tookMs } = await run();
    expect(tookMs).toBeLessThan(synthesisMs / 2 + slackMs);
    expect(report).toMatchObject({ status: 'completed', dropouts: [] });
    const { runtime } = report.council_config;
    expect(runtime).toMatchObject({ degraded: false, provider_failures: {}, synthesis: { replaced: [] } });
    expect(report.deliberation.market_gap).toBeNull();
    expect(lostGapText(runtime, report.deliberation)).toBe('The explanation was lost.');
    expect((await caller.ledger()).map(({ kind }: { kind: string }) => kind)).not.toContain('refund');
  });

  test('holds up no synthesis when its answer cannot be stored', async () => {
    scriptCouncil(service, { percents: far });
    const { pool } = service.database;
    await pool.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise 'refused'; end $$`);
    await pool.query(`create trigger refuse before insert on stage_results
      for each row when (new.stage = 'market_gap') execute function refuse()`);
    const { report, tookMs } = await run();
    await pool.query('drop function refuse cascade');
    expect(tookMs).toBeLessThan(synthesisMs / 2 + slackMs);
    expect(report).toMatchObject({ status: 'completed', dropouts: [], deliberation: { market_gap: null } });
    const outcomes = () =>
      pool.query(`select used from provider_calls where stage = 'market_gap' and report_id = $1`, [
        report.id,
      ]);
    await until('what was paid is recorded', async () => (await outcomes()).rowCount === 1);
  });

  test('does not outlive a run that is cancelled, which is refunded', async () => {
    scriptCouncil(service, { percents: far });
    simulator.setFault({ stage: 'market_gap' }, { kind: 'hang' });
    const caller = await service.newCaller(1_000);
    const eventId = newEvent();
    const before = simulator.calls.length;
    const { body } = await caller.buy(eventId);
    const isAsked = () =>
      simulator.calls.slice(before).some(({ stage, aborted }) => stage === 'market_gap' && !aborted);
    await until('the member is asked', isAsked);
    await service.temporal.workflow.getHandle(caller.workflowId(eventId)).cancel();
    const report = await caller.untilEnded(body.report_id);
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'cancelled' } });
    expect(await caller.balance()).toBe(1_000);
    await until('the call is ended', () => !isAsked());
  });
});

/** Extra time for a busy machine. */
const slackMs = 6_000;
