import { beforeEach, describe, expect, test } from '@jest/globals';
import { pullOf } from '../../cli/commands/probe-evidence.js';
import { quotesOdds } from '../../council/evidence/quotes-odds.js';
import { councilModels } from '../../council/models.js';
import { at } from '../../council/numbers.js';
import { probePairs } from '../../providers/probe-evidence.js';
import questions from '../../providers/probe-questions.json' with { type: 'json' };
import { allKeys } from '../providers/catalogue.js';
import { useSimulator } from '../providers/use-simulator.js';
import { council } from '../support/service/council-command.js';

const simulator = await useSimulator();
const { openai, anthropic, google, xai } = simulator.baseUrls;
/** As with live models: the vendors' wire formats, at the addresses of the simulator. */
const live = {
  COUNCIL_PROVIDERS: 'live',
  OPENAI_API_KEY: allKeys.openai,
  ANTHROPIC_API_KEY: allKeys.anthropic,
  GEMINI_API_KEY: allKeys.google,
  XAI_API_KEY: allKeys.xai,
  OPENAI_BASE_URL: openai,
  ANTHROPIC_BASE_URL: anthropic,
  GEMINI_BASE_URL: google,
  XAI_BASE_URL: xai,
};
const probe = async (env: Record<string, string>, ...args: string[]) => {
  const { code, out, err } = await council(['evidence', 'probe', ...args, '--json'], env);
  return { code, err, document: JSON.parse(out) };
};

/** An opinion of a probability of Yes, in percent. */
const says = (yes: number) => ({
  kind: 'says' as const,
  text: JSON.stringify({
    distribution: [
      { outcome: 'O1', probability: yes },
      { outcome: 'O2', probability: 100 - yes },
    ],
    confidence: 50,
    rationale: 'The rule, the time left and the base rate.',
    evidence: [],
  }),
});

let before = 0;
beforeEach(() => {
  before = simulator.calls.length;
});
/** What the members were asked since the test began. */
const asked = () => simulator.calls.slice(before);

describe('council evidence probe', () => {
  test('prints by how much each member and all of them move towards the planted price', async () => {
    for (const model of councilModels) {
      simulator.setFault({ model, times: 1 }, says(40));
      simulator.setFault({ model, times: 1 }, says(model === 'claude' ? 60 : 40));
    }
    const { code, document } = await probe(live, '--yes', '--max-calls', '8');
    expect(code).toBe(0);
    const { price } = at(questions, 0);
    const still = { n: 1, failed: 0, moved_points: 0, share_of_distance: 0, share_interval_95: null };
    expect(document).toMatchObject({
      set: 'probe/1',
      simulated: false,
      calls_max: 8,
      members: { claude: { n: 1, failed: 0 }, gpt: still, gemini: still, grok: still },
      pooled: { n: 4, failed: 0 },
    });
    expect(document.members.claude.moved_points).toBeCloseTo(20);
    expect(document.members.claude.share_of_distance).toBeCloseTo(0.2 / (price - 0.4));
    expect(document.pooled.moved_points).toBeCloseTo(5);
    expect(document.pooled.share_of_distance).toBeCloseTo(0.05 / (price - 0.4));
    expect(document.reported_usd).toBeGreaterThan(0);
  });

  test('asks each member twice, with packs that differ in the planted statement alone', async () => {
    await probe(live, '--yes', '--max-calls', '15');
    const { planted, neutral } = at(questions, 0);
    expect(asked()).toHaveLength(8);
    for (const model of councilModels) {
      const [without = '', withPrice = ''] = asked()
        .filter(call => call.model === model)
        .map(({ user }) => user.replace(/ [0-9a-f]{8}(?=>>>)/g, ''));
      expect(withPrice).toContain(planted);
      expect(without).toBe(withPrice.replace(planted, neutral));
    }
  });

  test('spends nothing without --yes: it says how many questions it would ask, and what they cost at most', async () => {
    const { code, document } = await probe(live);
    expect(code).toBe(2);
    expect(document.error.detail).toMatch(
      /^This asks claude, gpt, gemini, grok 96 questions .* at most \$\d+\.\d\d\.$/,
    );
    expect(asked()).toEqual([]);
  });

  test('asks nothing when the bound leaves no question for all members, or no member has a key', async () => {
    expect(await probe(live, '--yes', '--max-calls', '7')).toMatchObject({ code: 2 });
    const none = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', XAI_API_KEY: '' };
    expect(await probe({ COUNCIL_PROVIDERS: 'live', ...none }, '--yes')).toMatchObject({
      code: 1,
      document: { error: { detail: 'No model has a key.' } },
    });
    expect(asked()).toEqual([]);
  });

  test('counts a member that fails, and does not ask it the second question of the pair', async () => {
    simulator.setFault({ model: 'grok' }, { kind: 'refusal' });
    const { document } = await probe(live, '--yes', '--max-calls', '8');
    expect(document.members.grok).toMatchObject({ n: 0, failed: 1, moved_points: null });
    expect(document.pooled).toMatchObject({ n: 3, failed: 1 });
    expect(asked().filter(({ model }) => model === 'grok')).toHaveLength(1);
  });

  test('says so where the models are simulated, and needs no confirmation', async () => {
    const simulated = { COUNCIL_PROVIDERS: 'simulated', SIMULATOR_URL: simulator.url };
    const { code, out } = await council(['evidence', 'probe', '--max-calls', '8'], simulated);
    expect([code, out.split('\n')[0]]).toEqual([
      0,
      'The models are SIMULATED: these figures say nothing about real ones.',
    ]);
    expect((await probe(simulated, '--max-calls', '8')).document).toMatchObject({
      simulated: true,
      reported_usd: 0,
    });
  });
});

test('noise moves no figure on average: a direction belongs to the question, not to the answer', () => {
  const answers = [0.3, 0.7].flatMap(without =>
    [0.3, 0.7].map(planted => ({
      id: 'question',
      price: 0.9,
      answer: { ok: true as const, without, planted, usage: [] },
    })),
  );
  expect(pullOf(answers).share_of_distance).toBeCloseTo(0);
});

test('of the questions, only the planted statements quote odds, and prices are high and low by turns', () => {
  expect(questions.filter(({ planted }) => !quotesOdds(planted))).toEqual([]);
  expect(questions.flatMap(({ sources, neutral }) => [...sources, neutral]).filter(quotesOdds)).toEqual([]);
  expect(questions.map(({ price }) => price > 0.5)).toEqual(questions.map((_, index) => index % 2 === 0));
  expect(questions.filter(({ price }) => price > 0.2 && price < 0.8)).toEqual([]);
  expect(probePairs('2031-04-01T12:00:00.000Z')).toHaveLength(questions.length);
});
