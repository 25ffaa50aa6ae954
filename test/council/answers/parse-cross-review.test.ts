import { describe, expect, test } from '@jest/globals';
import { parseCrossReview } from '../../../council/answers/stage-parsers.js';

const order = ['grok', 'claude', 'gemini'] as const;
const rule = { outcomes: ['Yes', 'No'], exclusive: true, ladders: [] };
const good = {
  ranking: ['C', 'A', 'B'],
  critiques: [
    { label: 'A', strengths: 'Sound.', weaknesses: 'Short.' },
    { label: 'B', strengths: 'Thorough.', weaknesses: '' },
    { label: 'C', strengths: 'Best.', weaknesses: 'None.' },
  ],
  revised_distribution: [
    { outcome: 'O2', probability: 40 },
    { outcome: 'O1', probability: 60 },
  ],
  revised_confidence: 55,
};
const parse = (answer: unknown) => parseCrossReview(JSON.stringify(answer), order, rule);

test('replaces letters by members in the order in which the reviewer saw them', () => {
  expect(parse(good)).toEqual({
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

describe('a valid ranking is a permutation of the letters shown', () => {
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
  ])('%s', (_, ranking) => {
    expect(parse({ ...good, ranking })).toEqual({
      ok: false,
      problems: ['ranking: must be A, B, C in some order, each exactly once'],
    });
  });

  test('a string instead of a list', () => {
    expect(parse({ ...good, ranking: 'C > A > B' })).toEqual({
      ok: false,
      problems: ['ranking: must be of type array'],
    });
  });
});

test.each<[string, unknown]>([
  ['with an unknown letter', [{ label: 'D', strengths: '', weaknesses: '' }]],
  ['of one letter twice', [good.critiques[0], good.critiques[0]]],
])('critiques %s are rejected', (_, critiques) => {
  expect(parse({ ...good, critiques })).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^critiques: /)],
  });
});

test('critiques may be missing, because no number depends on them', () => {
  expect(parse({ ...good, critiques: [] }).ok).toBe(true);
});

test('a revised distribution follows the same rules as an opinion', () => {
  const revised_distribution = [
    { outcome: 'O1', probability: 0.6 },
    { outcome: 'O2', probability: 0.4 },
  ];
  expect(parse({ ...good, revised_distribution })).toMatchObject({
    ok: false,
    problems: [expect.stringContaining('revised_distribution: its probabilities look like fractions')],
  });
});

test('all problems are reported at once', () => {
  const parsed = parse({ ...good, ranking: [], revised_distribution: [] });
  expect(parsed.ok ? [] : parsed.problems).toHaveLength(3);
});

test('text that is not JSON is rejected', () => {
  expect(parseCrossReview('FINAL RANKING:\n1. C', order, rule).ok).toBe(false);
});
