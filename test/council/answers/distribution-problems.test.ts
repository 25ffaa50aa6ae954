import { describe, expect, test } from '@jest/globals';
import { distributionProblems } from '../../../council/answers/stage-parsers.js';

const rule = (exclusive: boolean) => ({ outcomes: ['A', 'B', 'C'], exclusive });
const given = (percents: Readonly<Record<string, number>>) =>
  Object.entries(percents).map(([outcome, probability]) => ({ outcome, probability }));
const exclusive = (percents: Readonly<Record<string, number>>) =>
  distributionProblems('d', given(percents), rule(true));
const independent = (percents: Readonly<Record<string, number>>) =>
  distributionProblems('d', given(percents), rule(false));

describe('names', () => {
  test('an unknown outcome is a problem that does not quote the model', () => {
    expect(exclusive({ A: 50, B: 30, C: 20, Mallory: 0 })).toEqual([
      'd: 1 of its outcomes are not outcomes of this event',
    ]);
  });

  test('a missing outcome is named', () => {
    expect(exclusive({ A: 60, B: 40 })).toEqual(['d: outcome "C" is missing']);
  });

  test('a repeated outcome is named', () => {
    const twice = [...given({ A: 40, B: 40, C: 20 }), { outcome: 'A', probability: 0 }];
    expect(distributionProblems('d', twice, rule(true))).toEqual(['d: outcome "A" appears more than once']);
  });

  test('a different spelling is a different outcome', () => {
    expect(exclusive({ a: 40, B: 40, C: 20 })).toHaveLength(2);
  });
});

describe('exclusive outcomes', () => {
  test.each([98, 99.9, 100, 102])('may add up to %s', sum => {
    expect(exclusive({ A: sum - 50, B: 30, C: 20 })).toEqual([]);
  });

  test.each([0, 50, 97, 97.9, 102.1, 150])('may not add up to %s', sum => {
    expect(exclusive({ A: sum / 2, B: sum / 4, C: sum / 4 })).toEqual([
      `d: its probabilities add up to ${sum}, not to 100`,
    ]);
  });

  test.each([0.98, 1, 1.02])('that add up to %s are reported as fractions', sum => {
    expect(exclusive({ A: sum / 2, B: sum / 4, C: sum / 4 })[0]).toContain('look like fractions');
  });
});

describe('independent outcomes', () => {
  test('may add up to anything', () => {
    expect(independent({ A: 90, B: 80, C: 0.5 })).toEqual([]);
    expect(independent({ A: 0, B: 0, C: 1 })).toEqual([]);
  });

  test('that are all below 1 are reported as fractions', () => {
    expect(independent({ A: 0.9, B: 0.8, C: 0 })[0]).toContain('look like fractions');
  });
});
