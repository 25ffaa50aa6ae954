import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memberRows } from '../../../web/report/members/member-stories.js';
import {
  type DistributionRow,
  distributionRows,
  foldRows,
} from '../../../web/report/probabilities/distribution-rows.js';
import { axisFor, placeOn } from '../../../web/report/probabilities/percent-axis.js';

const percents = fc.float({ min: 0, max: 100, noNaN: true });

describe('the axis of the plot', () => {
  test('contains every value and places it between its ends', () => {
    fc.assert(
      fc.property(fc.array(percents, { minLength: 1, maxLength: 40 }), numbers => {
        const axis = axisFor(numbers);
        for (const number of numbers) {
          const place = Number(placeOn(axis, number).replace('%', ''));
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  test('is as short as possible, starts at 0 and ends at its last tick', () => {
    for (const highest of [0, 3, 5, 5.1, 25.2, 41, 79.9, 80.1, 100]) {
      const { end, ticks } = axisFor([highest]);
      expect(end).toBeGreaterThanOrEqual(highest);
      expect([ticks[0], ticks.at(-1)]).toEqual([0, end]);
    }
    expect(axisFor([25.2]).end).toBe(30);
    expect(axisFor([100]).end).toBe(100);
  });
});

describe('the rows of the plot', () => {
  const row = (outcome: string, more: Partial<DistributionRow> = {}): DistributionRow => ({
    outcome,
    council: 1,
    market: 1,
    estimate: 1,
    members: [],
    happened: null,
    ...more,
  });

  test('are all shown if few; of many, the likely ones of council and market and the one that happened', () => {
    const few = Array.from({ length: 8 }, (_, index) => row(`${index}`));
    expect(foldRows(few)).toEqual({ shown: few, folded: [] });
    const many = [
      ...Array.from({ length: 36 }, (_, index) => row(`small ${index}`)),
      row('of the council', { council: 30 }),
      row('of the market', { market: 30 }),
      row('of the estimate', { estimate: 30 }),
      row('that happened', { council: 0, market: null, happened: true }),
    ];
    const { shown, folded } = foldRows(many);
    expect(shown).toHaveLength(6);
    expect(shown.length + folded.length).toBe(many.length);
    for (const name of ['of the council', 'of the market', 'of the estimate', 'that happened'])
      expect(shown.map(({ outcome }) => outcome)).toContain(name);
  });

  test('contain every outcome once, most likely first, with null for a missing price', () => {
    const rows = distributionRows(
      { deliberation: null, grade: null },
      {
        market_probabilities: { A: 20, B: 70, C: 10 },
        market_implied_probabilities: { A: 30, B: 60, C: null },
        estimate: null,
      },
    );
    expect(rows.map(({ outcome, council, market }) => [outcome, council, market])).toEqual([
      ['B', 70, 60],
      ['A', 20, 30],
      ['C', 10, null],
    ]);
  });
});

describe('the rows of a member', () => {
  const distribution = Array.from({ length: 9 }, (_, index) => ({ outcome: `${index}`, probability: index }));

  test('pair the final forecast with the first, most likely first, and collapse the rest', () => {
    const revised = distribution.map(({ outcome }, index) => ({ outcome, probability: 8 - index }));
    const { shown, folded } = memberRows({ distribution }, { revised_distribution: revised });
    expect(shown[0]).toEqual({ outcome: '0', first: 0, final: 8 });
    expect([shown.length, folded.length]).toEqual([5, 4]);
  });

  test('repeat the first forecast if the review was lost', () => {
    expect(memberRows({ distribution: distribution.slice(0, 3) }, null)).toEqual({
      shown: [2, 1, 0].map(value => ({ outcome: `${value}`, first: value, final: value })),
      folded: [],
    });
  });
});
