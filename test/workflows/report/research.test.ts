import { afterEach, describe, expect, test } from '@jest/globals';
import type { EvidenceItem } from '../../../council/evidence.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import type { Fault } from '../../../simulator/faults.js';
import { fencedText } from '../../../simulator/read-fences.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const events = createSampleEventCopies();
const searchers = ['claude', 'gpt', 'grok'] as const;
const researchDeadlineMs = 3_000;
let caller: TestCaller;

const service = await useTestService({ markets: events, researchDeadlineMs });
afterEach(() => service.simulator.clearFaults());

async function buy() {
  caller = await service.newCaller(1_000);
  const before = service.simulator.calls.length;
  const { body } = await caller.buy(events.retell('sample-ridge-derby-2031'));
  const calls = () => service.simulator.calls.slice(before);
  const ended = async () => {
    const report = await caller.untilEnded(body.report_id);
    expect(report).toMatchObject({ status: 'completed', failure: null });
    return report;
  };
  const progress = async () => (await caller.get(`/api/reports/${body.report_id}`)).body.progress;
  return { calls, ended, progress };
}

async function run() {
  const { calls, ended } = await buy();
  const report = await ended();
  return { report, evidence: report.deliberation.evidence, calls: calls() };
}

type Calls = Awaited<ReturnType<typeof run>>['calls'];

/** The ids of the sources that a member was shown at a stage: its own pack, or what others cite beyond it. */
function shownTo(calls: Calls, model: CouncilModel, stage = 'opinions', fence = 'SOURCES'): string[] {
  const user = calls.find(call => call.model === model && call.stage === stage)?.user ?? '';
  return [...fencedText(user, fence).matchAll(/^(S\d+) · /gm)].map(([, id = '']) => id);
}

const costsOf = (reportId: number) =>
  service.database.db
    .selectFrom('provider_calls')
    .select(['model', 'searches', 'cost_usd_micros as cost'])
    .where('report_id', '=', reportId)
    .where('stage', '=', 'research')
    .orderBy('model')
    .execute();

function fail(faults: Readonly<Partial<Record<CouncilModel, Fault>>>): void {
  for (const model of councilModels) {
    const fault = faults[model];
    if (fault !== undefined) service.simulator.setFault({ model, stage: 'research' }, fault);
  }
}

/** The whole council is there, whatever became of its searches. */
function expectFourMembers(report: any): void {
  const { runtime } = report.council_config;
  expect(runtime).toMatchObject({ models: [...councilModels], degraded: false, provider_failures: {} });
  expect(report.dropouts).toEqual([]);
  expect(report.deliberation.opinions).toHaveLength(4);
}

describe('members that search', () => {
  test('do so side by side before the opinions, and callers see it from the purchase on', async () => {
    const release = service.simulator.hold({ stage: 'research' });
    const { calls, ended, progress } = await buy();
    const searching = { stage: 'research', done: 0, of: 3, answered: [] };
    expect(await progress()).toEqual(searching);
    await until('the members search', () => calls().length === 3);
    expect(await progress()).toEqual(searching);
    expect(calls().map(({ model, stage }) => `${stage} ${model}`)).toEqual(
      expect.arrayContaining(searchers.map(model => `research ${model}`)),
    );
    release();
    await ended();
    // Beside the synthesis, a member explains the distance to the market.
    expect(calls()).toHaveLength(3 + 4 + 4 + 2);
  });

  test('read their own pack, one that does not search reads all, and reviewers what others cite', async () => {
    const { report, evidence, calls } = await run();
    expectFourMembers(report);
    expect(evidence).toMatchObject({ status: 'searched', failures: {} });
    const items: EvidenceItem[] = evidence.items;
    const foundBy = (model: CouncilModel) =>
      items.filter(({ found_by }) => found_by.includes(model)).map(({ id }) => id);
    for (const model of searchers) {
      expect(foundBy(model)).not.toEqual([]);
      expect(shownTo(calls, model).sort()).toEqual(foundBy(model).sort());
    }
    expect(shownTo(calls, 'gemini').sort()).toEqual(items.map(({ id }) => id).sort());

    const cited = new Set<string>(
      report.deliberation.opinions.flatMap(({ evidence: facts, base_rates }: any) =>
        [...facts, ...base_rates].flatMap(({ sources }: { sources: string[] }) => sources),
      ),
    );
    expect(cited.size).toBeGreaterThan(0);
    const own = shownTo(calls, 'claude');
    for (const stage of ['cross_review', 'synthesis']) {
      expect(shownTo(calls, 'claude', stage)).toEqual(own);
      const others = shownTo(calls, 'claude', stage, 'OTHER SOURCES');
      expect([...cited]).toEqual(expect.arrayContaining(others));
      expect([...own, ...others]).toEqual(expect.arrayContaining([...cited]));
      expect(own).not.toEqual(expect.arrayContaining(others));
    }
    for (const { system, user } of calls) expect(`${system}${user}`).not.toMatch(/https?:\/\/|claude|grok/i);
  });

  test('are billed for their searches, which the report counts', async () => {
    const { report, evidence } = await run();
    const costs = await costsOf(report.id);
    expect(costs.map(({ model }) => model)).toEqual([...searchers]);
    for (const { searches, cost } of costs) expect([searches > 0, cost > 0]).toEqual([true, true]);
    expect(costs.reduce((sum, { searches }) => sum + searches, 0)).toBe(evidence.searches);
  });
});

describe('a search that fails loses no member, and the report names the reason', () => {
  const cases: readonly (readonly [string, Partial<Record<CouncilModel, Fault>>, object, string])[] = [
    [
      'refused key, refusal, time-out',
      { claude: { kind: 'http', status: 401 }, gpt: { kind: 'refusal' }, grok: { kind: 'hang' } },
      { claude: 'was not authorised', gpt: 'refused to answer', grok: 'timed out after 3 s' },
      'none',
    ],
    [
      'rate limit, unavailable, cut off',
      {
        claude: { kind: 'http', status: 429, retry_after: '3600' },
        gpt: { kind: 'http', status: 404 },
        grok: { kind: 'truncated' },
      },
      {
        claude: 'rate limited',
        gpt: 'was unavailable',
        grok: 'gave an answer that was cut off at its length limit',
      },
      'none',
    ],
    [
      'filtered, and nothing cited',
      { claude: { kind: 'content_filter' }, gpt: { kind: 'no_sources' }, grok: { kind: 'no_sources' } },
      { claude: 'refused to answer' },
      'none',
    ],
    ['one of three', { grok: { kind: 'http', status: 403 } }, { grok: 'was not authorised' }, 'partial'],
  ];

  test.each(cases)('%s', async (_, faults, failures, status) => {
    fail(faults);
    const { report, evidence, calls } = await run();
    expectFourMembers(report);
    expect(evidence).toMatchObject({ status, failures });
    expect(report.council_config.runtime.evidence.status).toBe(status);
    const [charge] = await caller.ledger();
    expect(charge).toMatchObject({ kind: 'charge', pool: 'purchased', report_id: report.id });
    if (status === 'none') {
      expect(evidence.items).toEqual([]);
      for (const model of councilModels) expect(shownTo(calls, model)).toEqual([]);
    }
    // A member whose own search failed reads what the others found.
    if (status === 'partial') expect(shownTo(calls, 'grok')).toHaveLength(evidence.items.length);
  });

  test('a vendor that refuses the block list, an answer that pauses, and an error of the tool are no failures', async () => {
    fail({
      claude: { kind: 'pause_turn' },
      gpt: { kind: 'block_list_refused' },
      grok: { kind: 'tool_error' },
    });
    const { report, evidence, calls } = await run();
    expectFourMembers(report);
    const hosts = calls
      .filter(({ model, stage }) => model === 'gpt' && stage === 'research')
      .map(({ blockedHosts }) => blockedHosts.length > 0);
    expect(hosts).toEqual([true, false]);
    expect(evidence.items.flatMap(({ found_by }: EvidenceItem) => found_by)).toEqual(
      expect.arrayContaining(['claude', 'gpt']),
    );
  });

  test('confidence is four fifths where nothing was found', async () => {
    scriptCouncil(service, { percents: { Comet: 60, Harrier: 30, Quill: 10 } });
    const known = await run();
    fail({ claude: { kind: 'refusal' }, gpt: { kind: 'refusal' }, grok: { kind: 'refusal' } });
    const unknown = await run();
    expect([known.evidence.status, unknown.evidence.status]).toEqual(['searched', 'none']);
    const { confidence } = known.report;
    expect(Math.abs(unknown.report.confidence - confidence * 0.8)).toBeLessThan(0.1);
  });
});

describe('a fact', () => {
  const citing = (sources: string[]): Fault => ({
    kind: 'says',
    text: JSON.stringify({
      distribution: [60, 30, 10].map((probability, index) => ({ outcome: `O${index + 1}`, probability })),
      confidence: 60,
      rationale: 'The rule.',
      evidence: [{ fact: 'A fact.', sources }],
    }),
  });

  test('that cites a source which was not shown is sent back once, without its id', async () => {
    service.simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, citing(['S998']));
    const { report, calls } = await run();
    expectFourMembers(report);
    const [, repair] = calls.filter(({ model, stage }) => model === 'gpt' && stage === 'opinions');
    expect(repair?.user).toContain('evidence: 1 of its sources');
  });

  test('that does so again loses its member, as with an unknown outcome', async () => {
    service.simulator.setFault({ model: 'gpt', stage: 'opinions' }, citing(['S998']));
    const { report } = await run();
    expect(report.dropouts).toMatchObject([{ model: 'gpt', stage: 'opinions', kind: 'invalid_answer' }]);
  });
});
