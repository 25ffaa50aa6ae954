import { describe, expect, test } from '@jest/globals';
import { distributionProblems } from '../../../council/answers/distribution.js';

type Percents = Readonly<Record<string, number>>;

const given = (percents: Percents) =>
  Object.entries(percents).map(([outcome, probability]) => ({ outcome, probability }));
const rule = (exclusive: boolean) => ({ outcomes: ['Ada', 'Bela', 'Chen'], exclusive, ladders: [] });
const exclusive = (percents: Percents) => distributionProblems('d', given(percents), rule(true));
const independent = (percents: Percents) => distributionProblems('d', given(percents), rule(false));

const unknown = 'd: 1 of its labels are not labels of outcomes of this event';

test.each<[string, Percents, string[]]>([
  [
    'an unknown outcome is a problem that does not quote the model',
    { O1: 50, O2: 30, O3: 20, O4: 0 },
    [unknown],
  ],
  ['a missing outcome is named', { O1: 60, O2: 40 }, ['d: outcome O3 is missing']],
  ['the name of an outcome is no label', { Ada: 50, O2: 30, O3: 20 }, [unknown, 'd: outcome O1 is missing']],
  ['another spelling is another outcome', { o1: 40, O2: 40, O3: 20 }, [unknown, 'd: outcome O1 is missing']],
])('%s', (_, percents, problems) => {
  expect(exclusive(percents).toSorted()).toEqual(problems.toSorted());
});

test('a repeated outcome is named', () => {
  const twice = [...given({ O1: 40, O2: 40, O3: 20 }), { outcome: 'O1', probability: 0 }];
  expect(distributionProblems('d', twice, rule(true))).toEqual(['d: outcome O1 appears more than once']);
});

describe('exclusive outcomes', () => {
  test.each([98, 99.9, 100, 102])('may add up to %s', sum => {
    expect(exclusive({ O1: sum - 50, O2: 30, O3: 20 })).toEqual([]);
  });

  test.each([0, 50, 97, 97.9, 102.1, 150])('may not add up to %s', sum => {
    expect(exclusive({ O1: sum / 2, O2: sum / 4, O3: sum / 4 })).toEqual([
      `d: its probabilities add up to ${sum}, not to 100`,
    ]);
  });

  test.each([0.98, 1, 1.02])('that add up to %s are reported as fractions', sum => {
    expect(exclusive({ O1: sum / 2, O2: sum / 4, O3: sum / 4 })).toEqual([
      'd: its probabilities add up to about 1, like fractions; they must be percents that add up to 100: write 40 for 40 %, not 0.4',
    ]);
  });
});

test.each([
  [90, 80, 0.5],
  [0, 0, 1],
  [0.4, 0.2, 0.1],
  [0.9, 0.8, 0],
])('independent outcomes may add up to anything, and percents below 1 are believed: %j', (...percents) => {
  expect(independent(Object.fromEntries(percents.map((p, index) => [`O${index + 1}`, p])))).toEqual([]);
});
