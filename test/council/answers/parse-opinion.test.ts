import { describe, expect, test } from '@jest/globals';
import type { DistributionRule } from '../../../council/answers/distribution.js';
import { parseOpinion } from '../../../council/answers/stage-parsers.js';

const rule: DistributionRule = { outcomes: ['Yes', 'No'], exclusive: true, ladders: [] };
const good = {
  distribution: [
    { outcome: 'O2', probability: 39 },
    { outcome: 'O1', probability: 62 },
  ],
  confidence: 70,
  rationale: ' Base rates. ',
  evidence: [{ fact: 'A fact.', sources: [] }],
};
const parse = (answer: unknown, given = rule) => parseOpinion(JSON.stringify(answer), given);
const withDistribution = (...distribution: unknown[]) => ({ ...good, distribution });
const yes = (probability: unknown) => ({ outcome: 'O1', probability });
const no = (probability: unknown) => ({ outcome: 'O2', probability });

test('a valid opinion keeps its numbers, by the names of the outcomes and in their order', () => {
  expect(parse(good)).toEqual({
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

test('a certain opinion is valid', () => {
  expect(parse(withDistribution(yes(100), no(0))).ok).toBe(true);
});

describe('nothing is replaced by a default number', () => {
  test.each<[string, unknown]>([
    ['prose around it', `My forecast: ${JSON.stringify(good)}`],
    ['truncated', JSON.stringify(good).slice(0, -20)],
    ['empty', ''],
    ['a refusal', 'I cannot help with forecasting this event.'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an infinite number', JSON.stringify(good).replace('62', '1e999')],
  ])('%s is rejected', (_, text) => {
    expect(parseOpinion(String(text), rule).ok).toBe(false);
  });

  test.each<[string, unknown]>([
    ['fractions', withDistribution(yes(0.62), no(0.38))],
    ['a sum of 97', withDistribution(yes(60), no(37))],
    ['an unknown outcome', withDistribution(yes(60), no(40), { outcome: 'O3', probability: 0 })],
    ['names instead of labels', withDistribution({ outcome: 'Yes', probability: 60 }, no(40))],
    ['an outcome left out', withDistribution(yes(100))],
    ['an outcome repeated', withDistribution(yes(60), yes(0), no(40))],
    ['a quoted number', withDistribution(yes('62'), no(38))],
    ['a number with a sign', withDistribution(yes('62%'), no(38))],
    ['a negative number', withDistribution(yes(110), no(-10))],
    ['a missing number', withDistribution({ outcome: 'O1' }, no(38))],
    ['a null', withDistribution(yes(null), no(100))],
    ['a map instead of a list', { ...good, distribution: { Yes: 62, No: 38 } }],
    ['an empty list', withDistribution()],
    ['no confidence', { ...good, confidence: undefined }],
    ['confidence over 100', { ...good, confidence: 101 }],
    ['confidence as a fraction', { ...good, confidence: 0.7 }],
    ['no reasoning', { ...good, rationale: '  ' }],
    ['endless reasoning', { ...good, rationale: 'x'.repeat(8_001) }],
    [
      'endless evidence',
      { ...good, evidence: Array.from({ length: 31 }, () => ({ fact: 'x', sources: [] })) },
    ],
  ])('%s is rejected', (_, answer) => {
    const parsed = parse(answer);
    expect(parsed.ok ? [] : parsed.problems).not.toEqual([]);
  });
});

test('a confidence given as a fraction is reported as such', () => {
  expect(parse({ ...good, confidence: 0.7 })).toEqual({
    ok: false,
    problems: ['confidence: must be a percent from 0 to 100, not a fraction'],
  });
});

test('independent outcomes need not add up', () => {
  expect(parse(withDistribution(yes(90), no(80)), { ...rule, exclusive: false }).ok).toBe(true);
});

test('at most ten missing outcomes are reported', () => {
  const outcomes = Array.from({ length: 40 }, (_, i) => `R${i}`);
  const parsed = parse(withDistribution(), { ...rule, outcomes });
  expect(parsed.ok ? [] : parsed.problems).toHaveLength(10);
});

describe('on a ladder', () => {
  const ladder = { outcomes: ['Above 60', 'Above 70', 'Above 80'], exclusive: false, ladders: [[0, 1, 2]] };
  const answer = (...percents: number[]) =>
    withDistribution(...percents.map((probability, index) => ({ outcome: `O${index + 1}`, probability })));

  test('probabilities that fall or stay equal have no flaw', () => {
    expect(parse(answer(80, 80, 5), ladder)).toMatchObject({ ok: true, flaws: [] });
  });

  test('one that increases is a flaw of an answer that can be used', () => {
    expect(parse(answer(80, 85, 5), ladder)).toMatchObject({
      ok: true,
      value: { distribution: [{ probability: 80 }, { probability: 85 }, { probability: 5 }] },
      flaws: ['distribution: O2 implies O1, so it cannot be more probable'],
    });
  });
});
