import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { blend } from '../../../council/conclusion/consensus.js';
import { estimateSet } from '../../../council/conclusion/estimate-set.js';
import type { Market } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution } from '../../../council/market/prices.js';
import { type EstimateMethod, estimateMethod } from '../../../council/method.js';
import { at, scaledToOne, sum } from '../../../council/numbers.js';
import type { Coefficients } from '../../../council/report.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const blended: Coefficients = { market: 0.8, council: 0.2, council_by_dispersion: 0 };

interface Given {
  readonly exclusive?: boolean;
  readonly coefficients?: Coefficients;
  readonly kind?: EstimateMethod;
  /** Final opinions; by default two that are the council's. */
  readonly members?: readonly (readonly number[])[];
  /** By default the same. */
  readonly first?: readonly (readonly number[])[];
}

function estimateOf(markets: readonly Market[], council: readonly number[], given: Given = {}) {
  const { exclusive = true, coefficients = blended, kind = estimateMethod } = given;
  const { members = [council, council], first = members } = given;
  const set = outcomeSet(event(markets, { exclusive }));
  return estimateSet({
    set,
    council: { fractions: council },
    forecasts: members.map((fractions, index) => ({ fractions, first: at(first, index) })),
    market: impliedDistribution(set),
    weights: { kind, coefficients },
  });
}

describe('an exclusive set', () => {
  const race = [priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)];

  test('is weighed as a whole: with the exponents of the fixed blend, it is the blend', () => {
    const { fractions } = estimateOf(race, [0.4, 0.4, 0.2]);
    const expected = blend([0.4, 0.4, 0.2], [0.6, 0.3, 0.1], true);
    for (const [index, p] of fractions.entries()) expect(p).toBeCloseTo(expected[index] ?? -1, 12);
  });

  test('adds up to exactly 100 as published', () => {
    const share = fc.double({ min: 0.01, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(share, share, share), row => {
        const { percents } = estimateOf(race, scaledToOne(row));
        expect(sum(percents.map(p => Math.round((p ?? 0) * 10)))).toBe(1_000);
      }),
    );
  });

  test('counts an outcome without a price as the floor, not as impossible', () => {
    const markets = [priced('A', 0.6), priced('B', 0.4), unpriced('C')];
    const { fractions, missing } = estimateOf(markets, [0.5, 0.3, 0.2]);
    expect(missing).toBeNull();
    expect(fractions[2]).toBeGreaterThan(0);
    expect(fractions[2]).toBeLessThan(0.05);
  });

  test('has the same estimate for YES and NO exchanged', () => {
    const yes = estimateOf([priced('Will it rain?', 0.6)], [0.7, 0.3]).fractions[0] ?? -1;
    const no = estimateOf([priced('Will it rain?', 0.4)], [0.3, 0.7]).fractions[0] ?? -1;
    expect(yes).toBeCloseTo(1 - no, 12);
  });

  test('follows members that are further apart than usual more, with a positive coefficient', () => {
    const coefficients = { ...blended, council_by_dispersion: 0.5 };
    const yesWith = (...yes: number[]) => {
      const members = yes.map(p => [p, 1 - p]);
      return estimateOf([priced('Will it rain?', 0.5)], [0.8, 0.2], { coefficients, members }).fractions[0];
    };
    expect(yesWith(0.95, 0.5)).toBeGreaterThan(yesWith(0.8, 0.8) ?? 1);
  });

  test.each([true, false])(
    'measures how far members were apart before they read one another; estimate/1 measured it after (exclusive: %s)',
    exclusive => {
      const yesBy = (kind: EstimateMethod, first: readonly (readonly number[])[]) =>
        estimateOf(exclusive ? race : [priced('A', 0.5)], [0.8, 0.1, 0.1], {
          coefficients: { ...blended, council_by_dispersion: 0.5 },
          exclusive,
          first,
          kind,
        }).fractions[0];
      const apart = [
        [0.95, 0.03, 0.02],
        [0.4, 0.3, 0.3],
      ];
      const together = [
        [0.8, 0.1, 0.1],
        [0.8, 0.1, 0.1],
      ];
      expect(yesBy('estimate/2', apart)).toBeGreaterThan(yesBy('estimate/2', together) ?? 1);
      expect(yesBy('estimate/1', apart)).toBe(yesBy('estimate/1', together));
    },
  );
});

test('independent markets are weighed one by one, and only where the price is firm', () => {
  const stale = market({ name: 'C', bestBid: null, lastTrade: 0.9 });
  const ladder = [priced('A', 0.2), priced('B', 0.5), stale, unpriced('D')];
  const { fractions, percents, missing } = estimateOf(ladder, [0.3, 0.5, 0.8, 0.1], { exclusive: false });
  const alone = estimateOf([priced('A', 0.2)], [0.3, 0.7]).fractions[0] ?? -1;
  expect(fractions[0]).toBeCloseTo(alone, 12);
  expect(percents.slice(1)).toEqual([50, null, null]);
  expect(missing).toBeNull();
});

describe('there is no estimate, and the reason is named,', () => {
  const stale = (name: string, lastTrade: number) => market({ name, bestBid: null, lastTrade });

  test.each([
    ['no_price', [unpriced('A'), unpriced('B')], true],
    ['sum_out_of_range', [priced('A', 0.9), priced('B', 0.8)], true],
    ['no_firm_price', [stale('A', 0.7), priced('B', 0.3)], true],
    ['no_price', [unpriced('A'), unpriced('B')], false],
    ['no_firm_price', [stale('A', 0.7), stale('B', 0.3)], false],
  ] as const)('%s', (reason, markets, exclusive) => {
    const none = { fractions: [null, null], percents: [null, null], missing: reason };
    expect(estimateOf(markets, [0.6, 0.4], { exclusive })).toEqual(none);
  });
});

test('weights are needed exactly where there is an estimate', () => {
  const given = (markets: readonly Market[]) => {
    const set = outcomeSet(event(markets));
    const council = { fractions: [0.6, 0.4] };
    const forecast = { ...council, first: [0.6, 0.4] };
    return { set, council, forecasts: [forecast, forecast], market: impliedDistribution(set), weights: null };
  };
  expect(estimateSet(given([unpriced('A'), unpriced('B')])).missing).toBe('no_price');
  expect(() => estimateSet(given([priced('A', 0.6), priced('B', 0.4)]))).toThrow('without weights');
});
