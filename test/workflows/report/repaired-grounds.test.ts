import { afterEach, describe, expect, test } from '@jest/globals';
import type { CouncilModel } from '../../../council/models.js';
import type { Fault } from '../../../simulator/faults.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { useTestService } from '../../support/use-service.js';

const events = createSampleEventCopies();
const service = await useTestService({
  markets: events,
  stageDeadlinesMs: { opinions: 4_000, cross_review: 20_000, synthesis: 20_000 },
});
const { simulator } = service;
afterEach(() => simulator.clearFaults());

/** An event of one market, whose range and changes speak of its first side. */
async function run() {
  const caller = await service.newCaller(1_000);
  const before = simulator.calls.length;
  const report = await caller.run(events.retell('sample-fed-cut-2031'));
  expect(report).toMatchObject({ status: 'completed', failure: null, dropouts: [] });
  expect(report.council_config.runtime).toMatchObject({ degraded: false, provider_failures: {} });
  const of = (model: CouncilModel) =>
    report.deliberation.opinions.find((opinion: { model: CouncilModel }) => opinion.model === model);
  return { report, of, calls: simulator.calls.slice(before) };
}

const rate = { reference_class: 'Such meetings.', k: 3, n: 20, period: 'since 2000', sources: [] };

/** A forecast of 70 % for O1 with these grounds. */
function forecasting(grounds: object): Fault {
  const answer = {
    distribution: [70, 30].map((probability, index) => ({ outcome: `O${index + 1}`, probability })),
    confidence: 60,
    rationale: 'Base rates.',
    evidence: [],
    rule: 'As announced.',
    resolution_risk: 2,
    base_rates: [rate],
    outside_view: { outcome: 'O1', probability: 18.2 },
    range: { low: 60, high: 80 },
    would_change: [{ if: 'The body meets.', by: '2099-12-31', to: 90 }],
    ...grounds,
  };
  return { kind: 'says', text: JSON.stringify(answer) };
}

const invalid = { base_rates: [{ ...rate, k: 21 }, rate], range: { low: 20, high: 40 } };
const reasons = [
  'base_rates[0]: k must be at most n',
  'range: must contain the probability that you give yourself, 70',
];

describe('a member whose forecast rests on an invalid base rate and range', () => {
  test('is asked once more with the reasons, and its second answer counts', async () => {
    simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, forecasting(invalid));
    const { of, calls } = await run();
    const asked = calls.filter(({ model, stage }) => model === 'gpt' && stage === 'opinions');
    expect(asked).toHaveLength(2);
    for (const reason of reasons) expect(asked[1]?.user).toContain(`- ${reason}`);
    expect(of('gpt')).toMatchObject({ attempts: 2, dropped: [] });
    expect(of('gpt').base_rates[0].reference_class).toMatch(/^Simulated: /);
    expect(of('claude').attempts).toBe(1);
  });

  test('keeps its forecast, its valid parts and its own confidence if it repeats them, and the report says why', async () => {
    simulator.setFault({ model: 'gpt', stage: 'opinions' }, forecasting(invalid));
    const { of, report, calls } = await run();
    expect(calls.filter(({ model, stage }) => model === 'gpt' && stage === 'opinions')).toHaveLength(2);
    expect(of('gpt')).toMatchObject({
      attempts: 2,
      distribution: [{ probability: 70 }, { probability: 30 }],
      confidence: 60,
      base_rates: [{ k: 3, n: 20, rate: 18.2 }],
      outside_view: { probability: 18.2 },
      range: null,
      would_change: [{ to: 90 }],
      dropped: reasons,
    });
    expect(report.deliberation.opinions).toHaveLength(4);
    expect(report.council_config.runtime.outside_view[0].members).toContain('gpt');
  });

  test.each<[string, Fault]>([
    ['refuses the second time', { kind: 'refusal' }],
    ['says nothing usable the second time', { kind: 'invalid_json' }],
    ['never answers the second time', { kind: 'hang' }],
  ])('keeps its first answer if it %s', async (_, second) => {
    simulator.setFault({ model: 'gpt', stage: 'opinions', times: 1 }, forecasting(invalid));
    simulator.setFault({ model: 'gpt', stage: 'opinions' }, second);
    const { of } = await run();
    expect(of('gpt')).toMatchObject({
      distribution: [{ probability: 70 }, { probability: 30 }],
      dropped: reasons,
    });
  });
});

test('a chairman that names a trigger of no answer is asked once more, is not replaced, and loses only the trigger', async () => {
  const trigger = { if: 'The body meets.', by: '2099-12-31', direction: 'up', members: ['A1'] };
  const synthesis = {
    summary: 'A summary.',
    agreements: [],
    disagreements: [],
    key_uncertainties: [],
    triggers: [{ ...trigger, members: ['Z9'] }, trigger],
  };
  simulator.setFault({ stage: 'synthesis' }, { kind: 'says', text: JSON.stringify(synthesis) });
  const { report, calls } = await run();
  expect(calls.filter(({ stage }) => stage === 'synthesis')).toHaveLength(2);
  expect(report.council_config.runtime.synthesis).toMatchObject({ chairman: 'claude', replaced: [] });
  expect(report.deliberation.synthesis).toMatchObject({
    attempts: 2,
    summary: 'A summary.',
    triggers: [{ if: 'The body meets.', direction: 'up' }],
    dropped: ['triggers[0]: its members must be the ids of changes shown, such as A1'],
  });
});
