import { describe, expect, test } from '@jest/globals';
import type { DistributionRule } from '../../../council/answers/distribution.js';
import {
  parseCrossReview,
  parseMarketGap,
  parseOpinion,
  parseSynthesis,
} from '../../../council/answers/stage-parsers.js';
import { shown, shownChanges } from '../fixtures.js';

const rule: DistributionRule = { outcomes: ['Yes', 'No'], exclusive: true, ladders: [] };
const yes = (probability: unknown) => ({ outcome: 'O1', probability });
const no = (probability: unknown) => ({ outcome: 'O2', probability });
const problemsOf = (parsed: { ok: true } | { ok: false; problems: readonly string[] }) =>
  parsed.ok ? [] : parsed.problems;

describe('an opinion', () => {
  const good = {
    distribution: [no(39), yes(62)],
    confidence: 70,
    rationale: ' Base rates. ',
    evidence: [{ fact: 'A fact.', sources: [] }],
  };
  const parse = (answer: unknown, given = rule) => parseOpinion(JSON.stringify(answer), given, shown);
  const withDistribution = (...distribution: unknown[]) => ({ ...good, distribution });

  test('keeps its numbers, by the names of the outcomes and in their order', () => {
    expect(parse(good)).toMatchObject({
      ok: true,
      value: {
        distribution: [
          { outcome: 'Yes', probability: 62 },
          { outcome: 'No', probability: 39 },
        ],
        confidence: 70,
        rationale: 'Base rates.',
        evidence: [{ fact: 'A fact.', sources: [] }],
      },
      flaws: [],
    });
  });

  test('may be certain', () => {
    expect(parse(withDistribution(yes(100), no(0))).ok).toBe(true);
  });

  test.each([
    ['prose around it', `My forecast: ${JSON.stringify(good)}`],
    ['null', 'null'],
    ['an infinite number', JSON.stringify(good).replace('62', '1e999')],
  ])('with %s is rejected', (_, text) => {
    expect(parseOpinion(text, rule, shown).ok).toBe(false);
  });

  test.each<[string, unknown]>([
    ['fractions', withDistribution(yes(0.62), no(0.38))],
    ['a quoted number', withDistribution(yes('62'), no(38))],
    ['a number with a sign', withDistribution(yes('62%'), no(38))],
    ['a negative number', withDistribution(yes(110), no(-10))],
    ['a missing number', withDistribution({ outcome: 'O1' }, no(38))],
    ['a null', withDistribution(yes(null), no(100))],
    ['a map instead of a list', { ...good, distribution: { Yes: 62, No: 38 } }],
    ['an empty list', withDistribution()],
    ['no confidence', { ...good, confidence: undefined }],
    ['confidence over 100', { ...good, confidence: 101 }],
    ['no reasoning', { ...good, rationale: '  ' }],
    ['endless reasoning', { ...good, rationale: 'x'.repeat(8_001) }],
    ['endless evidence', { ...good, evidence: Array.from({ length: 31 }, () => good.evidence[0]) }],
  ])('with %s is rejected, and gets no default number', (_, answer) => {
    expect(problemsOf(parse(answer))).not.toEqual([]);
  });

  test('whose confidence is a fraction is rejected as such, and all its numbers with it', () => {
    expect(problemsOf(parse({ ...good, confidence: 0.7 }))).toEqual([
      'confidence: must be a percent from 0 to 100, not a fraction; give every number of the answer as a percent',
    ]);
  });

  test('on independent questions is believed in percents below 1, and not in fractions throughout', () => {
    const longShots = { outcomes: ['A', 'B'], exclusive: false, ladders: [] };
    const distribution = [yes(0.4), no(0.2)];
    expect(parse({ ...good, distribution }, longShots)).toMatchObject({
      ok: true,
      value: { distribution: [{ probability: 0.4 }, { probability: 0.2 }] },
    });
    expect(problemsOf(parse({ ...good, distribution, confidence: 0.8 }, longShots))).not.toEqual([]);
  });

  test('names at most ten missing outcomes', () => {
    const outcomes = Array.from({ length: 40 }, (_, i) => `R${i}`);
    expect(problemsOf(parse(withDistribution(), { ...rule, outcomes }))).toHaveLength(10);
  });

  test.each([
    ['fall or stay equal has no flaw', [80, 80, 5], []],
    ['increase has a flaw, and can be used', [80, 85, 5], ['O2 implies O1, so it cannot be more probable']],
  ])('whose probabilities on a ladder %s', (_, percents, flaws) => {
    const ladder = { outcomes: ['Above 60', 'Above 70', 'Above 80'], exclusive: false, ladders: [[0, 1, 2]] };
    const given = percents.map((probability, index) => ({ outcome: `O${index + 1}`, probability }));
    expect(parse(withDistribution(...given), ladder)).toMatchObject({
      ok: true,
      value: { distribution: percents.map(probability => ({ probability })) },
      flaws: flaws.map(flaw => `distribution: ${flaw}`),
    });
  });
});

describe('a cross-review', () => {
  const order = ['grok', 'claude', 'gemini'] as const;
  const good = {
    ranking: ['C', 'A', 'B'],
    critiques: [
      { label: 'A', strengths: 'Sound.', weaknesses: 'Short.' },
      { label: 'B', strengths: 'Thorough.', weaknesses: '' },
      { label: 'C', strengths: 'Best.', weaknesses: 'None.' },
    ],
    revised_distribution: [no(40), yes(60)],
    revised_confidence: 55,
  };
  const parse = (changes: object) => parseCrossReview(JSON.stringify({ ...good, ...changes }), order, rule);

  test('has members for letters, in the order in which the reviewer saw them', () => {
    expect(parse({})).toEqual({
      ok: true,
      value: {
        ranking: ['gemini', 'grok', 'claude'],
        critiques: [
          { model: 'grok', strengths: 'Sound.', weaknesses: 'Short.' },
          { model: 'claude', strengths: 'Thorough.', weaknesses: '' },
          { model: 'gemini', strengths: 'Best.', weaknesses: 'None.' },
        ],
        revisedDistribution: [
          { outcome: 'Yes', probability: 60 },
          { outcome: 'No', probability: 40 },
        ],
        revisedConfidence: 55,
      },
      flaws: [],
    });
  });

  test.each<[string, unknown]>([
    ['bold letters', ['**C**', '**A**', '**B**']],
    ['a letter twice', ['C', 'A', 'A']],
    ['a letter twice beside all of them', ['C', 'A', 'B', 'A']],
    ['a letter left out', ['C', 'A']],
    ['an unknown letter', ['C', 'A', 'D']],
    ['a letter too many', ['C', 'A', 'B', 'D']],
    ['lower case', ['c', 'a', 'b']],
    ['names', ['gemini', 'grok', 'claude']],
    ['wordy letters', ['Answer C', 'Answer A', 'Answer B']],
    ['nothing', []],
  ])('with %s is rejected: a ranking is a permutation of the letters shown', (_, ranking) => {
    expect(problemsOf(parse({ ranking }))).toEqual([
      'ranking: must be A, B, C in some order, each exactly once',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['a string for a ranking', { ranking: 'C > A > B' }, ['ranking: must be of type array']],
    [
      'a critique of an unknown letter',
      { critiques: [{ ...good.critiques[0], label: 'D' }] },
      ['critiques: '],
    ],
    ['two critiques of one letter', { critiques: [good.critiques[0], good.critiques[0]] }, ['critiques: ']],
    [
      'fractions',
      { revised_distribution: [yes(0.6), no(0.4)] },
      ['revised_distribution: its probabilities add up to about 1, like fractions'],
    ],
    [
      'several problems, each named,',
      { ranking: [], revised_distribution: [] },
      ['ranking', 'revised_distribution', 'revised_distribution'],
    ],
  ])('with %s is rejected', (_, changes, problems) => {
    expect(problemsOf(parse(changes))).toEqual(problems.map(text => expect.stringContaining(text)));
  });

  test('may have no critiques, because no number depends on them', () => {
    expect(parse({ critiques: [] }).ok).toBe(true);
  });

  test('that is not JSON is rejected', () => {
    expect(parseCrossReview('FINAL RANKING:\n1. C', order, rule).ok).toBe(false);
  });
});

describe('a synthesis', () => {
  const good = { summary: 'It will.', agreements: ['a'], disagreements: [], key_uncertainties: ['u'] };
  const parse = (changes: object) => parseSynthesis(JSON.stringify({ ...good, ...changes }), shownChanges);

  test('consists of text: a number that the chairman adds is dropped', () => {
    const value = { summary: 'It will.', agreements: ['a'], disagreements: [], keyUncertainties: ['u'] };
    expect(parse({ probability: 99, market_probabilities: { Yes: 99 } })).toEqual({
      ok: true,
      value: { ...value, triggers: [], dropped: ['triggers: were not given'] },
      flaws: [],
    });
  });

  test.each([
    ['no summary', { summary: ' ' }],
    ['an endless summary', { summary: 'x'.repeat(8_001) }],
    ['an empty point', { agreements: [''] }],
    ['a list left out', { disagreements: undefined }],
  ])('with %s is rejected', (_, changes) => {
    expect(parse(changes).ok).toBe(false);
  });
});

describe('an explanation of the distance to the market', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
  const parse = (fields: object) => parseMarketGap(JSON.stringify(fields));

  test('consists of two texts: a number that the member adds is dropped', () => {
    const fields = { market_may_know: ' News. ', council_may_know: 'Rules.\nAnd more.', probability: 62 };
    const value = { marketMayKnow: 'News.', councilMayKnow: 'Rules.\nAnd more.' };
    expect(parse(fields)).toEqual({ ok: true, value });
  });

  test('may have 200 words, and is asked for again with more: it is never cut', () => {
    expect(parse({ market_may_know: words(120), council_may_know: words(80) }).ok).toBe(true);
    expect(parse({ market_may_know: words(120), council_may_know: words(81) })).toEqual({
      ok: false,
      problems: ['the two texts have 201 words together, and may have 150'],
    });
  });

  test.each([
    ['one side only', { market_may_know: 'News.' }],
    ['an empty side', { market_may_know: 'News.', council_may_know: ' ' }],
    [
      'a side without spaces that never ends',
      { market_may_know: 'x'.repeat(2_001), council_may_know: 'Rules.' },
    ],
  ])('with %s is rejected', (_, fields) => {
    expect(parse(fields).ok).toBe(false);
  });
});
