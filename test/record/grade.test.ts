import { describe, expect, test } from '@jest/globals';
import type { Resolution } from '../../council/event.js';
import { gradeForecast, isOpen } from '../../record/grades/grade.js';
import type { MarketOutcomes, RecordedForecast } from '../../record/recorded-forecast.js';
import { bet, forecast, outcome, resolved, twoSided } from './grade-fixtures.js';

const cup = forecast([outcome('A', 60, 50), outcome('B', 30, 30), outcome('C', 10, 20)]);
const ladder = { ...cup, exclusive: false };

const stateOf = (of: RecordedForecast, outcomes: MarketOutcomes) => {
  const grade = gradeForecast(of, outcomes);
  return grade === 'pending' ? grade : grade.state;
};
const happenedOf = (of: RecordedForecast, outcomes: MarketOutcomes) => {
  const grade = gradeForecast(of, outcomes);
  return grade === 'pending' ? grade : grade.scores?.outcomes.map(({ happened }) => happened);
};

const cupStates: [A: Resolution, B: Resolution, C: Resolution, state: string][] = [
  ['yes', 'no', 'no', 'graded'],
  ['no', 'no', 'yes', 'graded'],
  ['yes', 'unresolved', 'unresolved', 'graded'],
  ['yes', 'disputed', 'void', 'graded'],
  ['yes', 'fifty_fifty', 'no', 'graded'],
  ['yes', 'yes', 'no', 'disputed'],
  ['yes', 'yes', 'yes', 'disputed'],
  ['no', 'no', 'disputed', 'disputed'],
  ['unresolved', 'disputed', 'no', 'disputed'],
  ['no', 'no', 'unresolved', 'pending'],
  ['unresolved', 'unresolved', 'unresolved', 'pending'],
  ['void', 'fifty_fifty', 'unresolved', 'pending'],
  ['no', 'no', 'no', 'void'],
  ['no', 'no', 'void', 'void'],
  ['void', 'void', 'void', 'void'],
  ['no', 'fifty_fifty', 'fifty_fifty', 'fifty_fifty'],
  ['void', 'fifty_fifty', 'no', 'fifty_fifty'],
];

const ladderStates: [A: Resolution, B: Resolution, C: Resolution, state: string][] = [
  ['yes', 'yes', 'no', 'graded'],
  ['no', 'no', 'no', 'graded'],
  ['yes', 'void', 'fifty_fifty', 'graded'],
  ['yes', 'yes', 'unresolved', 'graded'],
  ['yes', 'disputed', 'unresolved', 'graded'],
  ['yes', 'disputed', 'no', 'graded'],
  ['unresolved', 'unresolved', 'no', 'graded'],
  ['unresolved', 'unresolved', 'unresolved', 'pending'],
  ['void', 'disputed', 'unresolved', 'pending'],
  ['void', 'fifty_fifty', 'unresolved', 'pending'],
  ['void', 'void', 'disputed', 'disputed'],
  ['void', 'void', 'void', 'void'],
  ['void', 'fifty_fifty', 'void', 'fifty_fifty'],
];

describe('an event of which exactly one outcome happens', () => {
  test.each(cupStates)('A %s, B %s, C %s: %s', (A, B, C, state) => {
    expect(stateOf(cup, resolved({ A, B, C }))).toBe(state);
  });

  test('is graded by its winner, whatever the state of the losers', () => {
    expect(happenedOf(cup, resolved({ B: 'yes' }))).toEqual([0, 1, 0]);
    expect(happenedOf(cup, resolved({ A: 'disputed', B: 'yes', C: 'void' }))).toEqual([0, 1, 0]);
  });

  test('stays pending while the source does not list its markets', () => {
    expect(gradeForecast(cup, {})).toBe('pending');
  });

  test('ignores a market that is not in the forecast', () => {
    expect(stateOf(cup, resolved({ A: 'no', B: 'no', C: 'no', D: 'yes' }))).toBe('void');
    expect(stateOf(cup, resolved({ A: 'yes', D: 'yes' }))).toBe('graded');
  });
});

describe('any other', () => {
  const other = { ...outcome('Any other', 10, 20), market_id: null };
  const crowded = forecast([outcome('A', 60, 50), outcome('B', 30, 30), other], { left_out: ['m-C', 'm-D'] });

  test('happens when one of the markets left out does, and does not if a forecast market wins', () => {
    expect(happenedOf(crowded, resolved({ D: 'yes' }))).toEqual([0, 0, 1]);
    expect(happenedOf(crowded, resolved({ A: 'yes' }))).toEqual([1, 0, 0]);
  });

  test('makes two winners disputed', () => {
    expect(stateOf(crowded, resolved({ C: 'yes', D: 'yes' }))).toBe('disputed');
    expect(stateOf(crowded, resolved({ A: 'yes', D: 'yes' }))).toBe('disputed');
  });

  test('keeps a report pending while a market left out may still win', () => {
    expect(stateOf(crowded, resolved({ A: 'no', B: 'no', C: 'no' }))).toBe('pending');
    expect(stateOf(crowded, resolved({ A: 'no', B: 'no', C: 'no', D: 'disputed' }))).toBe('disputed');
    expect(stateOf(crowded, resolved({ A: 'void', B: 'no', C: 'no', D: 'no' }))).toBe('void');
    expect(stateOf(crowded, resolved({ A: 'no', B: 'fifty_fifty', C: 'no', D: 'no' }))).toBe('fifty_fifty');
  });

  test('happens when a market wins that did not exist when the forecast was frozen', () => {
    expect(happenedOf(crowded, resolved({ A: 'no', B: 'unresolved', New: 'yes' }))).toEqual([0, 0, 1]);
    expect(stateOf(crowded, resolved({ A: 'yes', New: 'yes' }))).toBe('disputed');
    const open = resolved({ A: 'no', B: 'no', C: 'no', D: 'no', New: 'unresolved' });
    expect(stateOf(crowded, open)).toBe('pending');
  });

  test('happens when every named outcome has lost, whatever became of the rest', () => {
    for (const D of ['no', 'void', 'fifty_fifty'] as const) {
      expect(happenedOf(crowded, resolved({ A: 'no', B: 'no', C: 'no', D }))).toEqual([0, 0, 1]);
    }
  });
});

describe('a single market', () => {
  const sides: [Resolution, string][] = [
    ['yes', 'graded'],
    ['no', 'graded'],
    ['unresolved', 'pending'],
    ['disputed', 'disputed'],
    ['fifty_fifty', 'fifty_fifty'],
    ['void', 'void'],
  ];
  test.each(sides)('%s: %s', (Rain, state) => {
    expect(stateOf(twoSided(70, 60), resolved({ Rain }))).toBe(state);
  });

  test('has two outcomes, one of which happened', () => {
    expect(happenedOf(twoSided(70), resolved({ Rain: 'yes' }))).toEqual([1, 0]);
    expect(happenedOf(twoSided(70), resolved({ Rain: 'no' }))).toEqual([0, 1]);
  });
});

describe('independent markets', () => {
  test.each(ladderStates)('A %s, B %s, C %s: %s', (A, B, C, state) => {
    expect(stateOf(ladder, resolved({ A, B, C }))).toBe(state);
  });

  test('that are void or paid half drop out, and the others are graded', () => {
    expect(happenedOf(ladder, resolved({ A: 'yes', B: 'void', C: 'no' }))).toEqual([1, null, 0]);
    expect(happenedOf(ladder, resolved({ A: 'fifty_fifty', B: 'no', C: 'no' }))).toEqual([null, 0, 0]);
  });

  test('are graded each when it is final, and a dispute of one does not hold the others', () => {
    const bets = [bet('A'), bet('B'), bet('C', { side: 'BUY_NO', payout_per_dollar: 0.5 })];
    const grade = gradeForecast({ ...ladder, bets }, resolved({ A: 'yes', B: 'disputed', C: 'unresolved' }));
    expect(grade).toMatchObject({
      state: 'graded',
      openMarkets: 2,
      scores: {
        outcomes: [
          { name: 'A', happened: 1 },
          { name: 'B', happened: null, open: true },
          { name: 'C', happened: null, open: true },
        ],
        bets: [
          { won: true, return_per_dollar: 1.5 },
          { won: null, return_per_dollar: 0, open: true },
          { won: null, return_per_dollar: 0, open: true },
        ],
      },
    });
    const alone = { ...ladder, outcomes: ladder.outcomes.slice(0, 1) };
    const ofA = gradeForecast(alone, resolved({ A: 'yes' }));
    if (grade === 'pending' || ofA === 'pending') throw new Error('not graded');
    expect(grade.scores?.council).toEqual(ofA.scores?.council);
    expect(isOpen(grade.scores, 'A')).toBe(false);
    expect(isOpen(grade.scores, 'B')).toBe(true);
  });

  test('that are all final have the grade of grader/1, to the last byte', () => {
    const grade = gradeForecast({ ...ladder, bets: [bet('A')] }, resolved({ A: 'yes', B: 'void', C: 'no' }));
    expect(grade).toMatchObject({ state: 'graded', openMarkets: 0 });
    expect(JSON.stringify(grade)).not.toContain('"open"');
  });
});

test('a grade has scores if and only if its state is graded', () => {
  const none = { state: 'void', scores: null, openMarkets: 0 };
  expect(gradeForecast(cup, resolved({ A: 'void', B: 'void', C: 'void' }))).toEqual(none);
  const scored = { state: 'graded', scores: { council: { hit: 1 } } };
  expect(gradeForecast(cup, resolved({ A: 'yes' }))).toMatchObject(scored);
});

describe('bets', () => {
  const betsOf = (of: RecordedForecast, outcomes: MarketOutcomes) => {
    const grade = gradeForecast(of, outcomes);
    return grade === 'pending' ? grade : grade.scores?.bets;
  };
  const yes = bet('A', { payout_per_dollar: 1.5 });
  const no = bet('B', { side: 'BUY_NO', kind: 'pick', payout_per_dollar: 0.25 });

  test('return the recorded payout if won and lose the stake if lost', () => {
    expect(betsOf({ ...cup, bets: [yes, no] }, resolved({ A: 'yes', B: 'no' }))).toEqual([
      { market: 'A', side: 'BUY_YES', kind: 'edge', won: true, return_per_dollar: 1.5 },
      { market: 'B', side: 'BUY_NO', kind: 'pick', won: true, return_per_dollar: 0.25 },
    ]);
    expect(betsOf({ ...cup, bets: [yes, no] }, resolved({ A: 'no', B: 'yes' }))).toMatchObject([
      { won: false, return_per_dollar: -1 },
      { won: false, return_per_dollar: -1 },
    ]);
  });

  test('against an outcome are won once another one happened', () => {
    expect(betsOf({ ...cup, bets: [no, yes] }, resolved({ C: 'yes' }))).toMatchObject([
      { won: true, return_per_dollar: 0.25 },
      { won: false, return_per_dollar: -1 },
    ]);
  });

  test.each(['void', 'fifty_fifty'] as const)('on a market that is %s are neither won nor lost', B => {
    const given = { won: null, return_per_dollar: 0 };
    expect(betsOf({ ...cup, bets: [no] }, resolved({ A: 'yes', B }))).toMatchObject([given]);
    expect(betsOf({ ...ladder, bets: [no] }, resolved({ A: 'yes', B, C: 'no' }))).toMatchObject([given]);
  });

  test('on the NO of a single market are won when it resolves NO', () => {
    const rain = twoSided(30, 40, {}, { bets: [bet('Rain', { side: 'BUY_NO', payout_per_dollar: 0.5 })] });
    expect(betsOf(rain, resolved({ Rain: 'no' }))).toMatchObject([{ won: true, return_per_dollar: 0.5 }]);
    expect(betsOf(rain, resolved({ Rain: 'yes' }))).toMatchObject([{ won: false, return_per_dollar: -1 }]);
  });
});
