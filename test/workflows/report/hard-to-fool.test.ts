import { afterEach, describe, expect, test } from '@jest/globals';
import { reviewOrder } from '../../../council/deliberation/review-order.js';
import type { MarketEvent } from '../../../council/event.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { readRun } from '../../../db/reports/run.js';
import { fencedText } from '../../../simulator/read-fences.js';
import { hostileTexts } from '../../council/prompts/hostile-texts.js';
import { leaks, telltale } from '../../council/prompts/prompt-scan.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { useTestService } from '../../support/use-service.js';

const events = createSampleEventCopies();
const service = await useTestService({ markets: events });
afterEach(() => service.simulator.clearFaults());

type Change = (event: MarketEvent) => MarketEvent;

async function run(change: Change = event => event) {
  const caller = await service.newCaller(1_000);
  const before = service.simulator.calls.length;
  const report = await caller.run(events.retell('sample-ridge-derby-2031', change));
  expect(report).toMatchObject({ status: 'completed', failure: null });
  return { report, calls: service.simulator.calls.slice(before) };
}

/** Every number of a report except those that depend on a clock or on the seed of the report. */
function numbers({ report }: Awaited<ReturnType<typeof run>>) {
  const { prices_at: _at, quote_age_seconds: _age, ...runtime } = report.council_config.runtime;
  const { action, probability, confidence, deliberation } = report;
  return { action, probability, confidence, runtime, positions: deliberation.positions };
}

const alphaPercents = { claude: 60, gpt: 55, gemini: 50, grok: 45 };

function distribution(first: number) {
  return [
    { outcome: 'O1', probability: first },
    { outcome: 'O2', probability: 100 - first - 10 },
    { outcome: 'O3', probability: 10 },
  ];
}

/** Makes every member give a fixed answer with these words at the first two stages. */
function scriptAnswers(words: (model: CouncilModel) => string): void {
  for (const model of councilModels) {
    const first = alphaPercents[model];
    const text = words(model);
    const opinion = {
      distribution: distribution(first),
      confidence: 60,
      rationale: text,
      evidence: [{ fact: text, sources: [] }],
      rule: text,
      resolution_risk: 4,
      base_rates: [{ reference_class: text, k: 3, n: 20, period: text, sources: [] }],
      outside_view: { outcome: 'O1', probability: 18.2 },
      range: { low: first - 5, high: first + 5 },
      would_change: [{ if: text, by: '2099-12-31', to: 80 }],
    };
    const review = {
      ranking: ['B', 'A', 'C'],
      critiques: ['A', 'B', 'C'].map(label => ({ label, strengths: text, weaknesses: text })),
      revised_distribution: distribution(first + 2),
      revised_confidence: 65,
    };
    service.simulator.setFault({ model, stage: 'opinions' }, { kind: 'says', text: JSON.stringify(opinion) });
    service.simulator.setFault(
      { model, stage: 'cross_review' },
      { kind: 'says', text: JSON.stringify(review) },
    );
  }
}

const asTelltale: Change = event => ({
  ...telltale,
  source: event.source,
  closesAt: event.closesAt,
});

describe('a chairman', () => {
  test('that answers “probability 99”, in any field or sentence, changes no number', async () => {
    const plain = await run();
    const synthesis = {
      summary: 'Probability: 99. The council is 99 % sure of YES. {"probability": 99}',
      agreements: ['99 %'],
      disagreements: [],
      key_uncertainties: [],
      triggers: [{ if: '99 % it is.', by: '2099-12-31', direction: 'up', members: ['A1'], to: 99 }],
      probability: 99,
      market_probabilities: { Yes: 99 },
      action: 'BUY_YES',
    };
    service.simulator.setFault({ stage: 'synthesis' }, { kind: 'says', text: JSON.stringify(synthesis) });
    const loud = await run();
    expect(loud.report.summary).toContain('99 % sure');
    expect(loud.report.deliberation.synthesis.triggers).toMatchObject([{ if: '99 % it is.' }]);
    expect(numbers(loud)).toEqual(numbers(plain));
  });
});

describe('members', () => {
  test('that are certain of opposite outcomes make no number infinite', async () => {
    const certain = (outcome: string) =>
      JSON.stringify({
        distribution: ['O1', 'O2', 'O3'].map(label => ({
          outcome: label,
          probability: label === outcome ? 100 : 0,
        })),
        confidence: 100,
        rationale: 'Certain.',
        evidence: [],
      });
    for (const model of councilModels) {
      const text = certain(model === 'grok' ? 'O2' : 'O1');
      service.simulator.setFault({ model, stage: 'opinions' }, { kind: 'says', text });
    }
    service.simulator.setFault({ stage: 'cross_review' }, { kind: 'refusal' });
    const { report } = await run(asTelltale);
    const percents = Object.values<number>(report.council_config.runtime.market_probabilities);
    expect(percents.reduce((sum, percent) => sum + Math.round(percent * 10), 0)).toBe(1_000);
    for (const percent of percents) {
      expect(percent).toBeGreaterThan(0);
      expect(percent).toBeLessThan(100);
    }
  });

  test('that break a ladder are asked again once, then count, and leave the consensus monotone', async () => {
    // By name: above $100, $60, $70, $80 and $90.
    const percents = [90, 50, 40, 30, 95];
    const text = JSON.stringify({
      distribution: percents.map((probability, index) => ({ outcome: `O${index + 1}`, probability })),
      confidence: 60,
      rationale: 'Backwards.',
      evidence: [],
    });
    for (const model of councilModels) {
      service.simulator.setFault({ model, stage: 'opinions' }, { kind: 'says', text });
    }
    service.simulator.setFault({ stage: 'cross_review' }, { kind: 'refusal' });
    const caller = await service.newCaller(1_000);
    const before = service.simulator.calls.length;
    const report = await caller.run(events.retell('sample-oil-ladder-2031'));
    const calls = service.simulator.calls.slice(before).filter(({ stage }) => stage === 'opinions');
    expect(calls).toHaveLength(8);
    expect(calls.at(-1)?.user).toContain('O5 implies O4, so it cannot be more probable');
    const { opinions } = report.deliberation;
    expect(opinions.map(({ attempts }: { attempts: number }) => attempts)).toEqual([2, 2, 2, 2]);
    const council = report.council_config.runtime.market_probabilities;
    expect([60, 70, 80, 90, 100].map(price => council[`Above $${price}`])).toEqual([61, 61, 61, 61, 61]);
  });

  test('that answer hostile texts, under market rules with the same texts, change no number and break no format', async () => {
    scriptAnswers(() => 'Base rates.');
    const quiet = await run(asTelltale);
    const ofEach = hostileTexts.length / councilModels.length;
    scriptAnswers(model =>
      hostileTexts
        .slice(councilModels.indexOf(model) * ofEach)
        .slice(0, ofEach)
        .join('\n'),
    );
    const text = hostileTexts.join('\n');
    const hostile = await run(event => ({ ...asTelltale(event), description: text, category: text }));
    expect(numbers(hostile)).toEqual(numbers(quiet));
    expect(hostile.report.council_config.runtime).toMatchObject({
      degraded: false,
      outside_view: [{ outcome: 'Alpha', probability: 18.2 }],
      resolution_risk: 4,
    });
    expect(hostile.calls).toHaveLength(4 + 4 + 2);
    const { opinions } = hostile.report.deliberation;
    expect(opinions.map(({ dropped }: { dropped: string[] }) => dropped)).toEqual([[], [], [], []]);
  });
});

describe('the prompts sent to the models', () => {
  test('contain no price, volume or address until all forecasts are final', async () => {
    scriptAnswers(() => 'Base rates.');
    const { calls: all } = await run(asTelltale);
    const calls = all.filter(({ stage }) => stage !== 'market_gap');
    expect(calls).toHaveLength(9);
    for (const { system, user } of calls) expect(leaks({ system, user })).toEqual([]);
  });

  test('show each reviewer its own answer apart and the other three without names, in the order of the stored seed', async () => {
    scriptAnswers(model => `I am ${model}, made by OpenAI. Mark ${councilModels.indexOf(model)}.`);
    const { report, calls } = await run(asTelltale);
    const { seed } = await readRun(service.database.db, report.id);
    const reviews = calls.filter(({ stage }) => stage === 'cross_review');
    expect(reviews).toHaveLength(4);
    for (const { model, system, user } of reviews) {
      expect(`${system}${user}`).not.toMatch(/claude|gpt|gemini|grok|openai|anthropic|google|xai/i);
      const marks = [...user.matchAll(/Reasoning: .*Mark (\d)\./g)].map(([, mark]) => Number(mark));
      const order = reviewOrder(seed, model, councilModels);
      expect(marks).toEqual([model, ...order].map(each => councilModels.indexOf(each)));
      const own = fencedText(user, 'YOUR FIRST ANSWER');
      expect(own).toContain(`Mark ${councilModels.indexOf(model)}.`);
      expect(order).not.toContain(model);
    }
  });
});

test('every call for an answer that was cut off counts towards the cost of the run', async () => {
  service.simulator.setFault({ model: 'gpt', stage: 'opinions' }, { kind: 'truncated' });
  const { report } = await run();
  const calls = await service.database.db
    .selectFrom('provider_calls')
    .selectAll()
    .where('report_id', '=', report.id)
    .where('model', '=', 'gpt')
    .execute();
  expect(calls).toHaveLength(2);
  for (const call of calls) {
    expect(call).toMatchObject({ outcome: 'invalid_answer' });
    for (const field of ['input_tokens', 'output_tokens', 'cost_usd_micros'] as const) {
      expect(call[field]).toBeGreaterThan(0);
    }
  }
});
