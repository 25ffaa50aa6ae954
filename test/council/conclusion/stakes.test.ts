import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fullKelly, type StakedBet, stakes } from '../../../council/conclusion/stakes.js';
import { takerFee } from '../../../council/market/prices.js';
import { stakeEventMax, stakeKellyShare } from '../../../council/method.js';
import { at, roundDistribution, roundTo, sum } from '../../../council/numbers.js';
import { ascend, portfolioOf } from './log-optimal-portfolio.js';

const yes = (win_probability: number, share_cost: number): StakedBet => ({
  side: 'BUY_YES',
  win_probability,
  share_cost,
});
const no = (win_probability: number, share_cost: number): StakedBet => ({
  side: 'BUY_NO',
  win_probability,
  share_cost,
});

/** Stakes in ten-thousandths, which add up exactly. */
const units = (fractions: readonly number[]) => fractions.map(each => Math.round(each * 10_000));

describe('a single bet', () => {
  test('gets a quarter of (q − c) / (1 − c), rounded down', () => {
    expect(stakes([yes(62, 0.567392)], true)).toEqual([0.0304]);
    expect(stakes([no(62, 0.567392)], true)).toEqual([0.0304]);
    expect(stakes([yes(62, 0.567392)], false)).toEqual([0.0304]);
  });

  test('gets what it is worth where binary fractions fall short of it', () => {
    // 0.25 · (0.544 − 0.5) / 0.5 is 0.022, and 0.0219999… in doubles.
    expect(stakes([yes(54.4, 0.5)], true)).toEqual([0.022]);
  });

  test('gets at most 5 %, however sure the estimate is', () => {
    expect(stakes([yes(100, 0.03)], true)).toEqual([0.05]);
    expect(stakes([no(100, 0.97)], true)).toEqual([0.05]);
  });

  test.each([
    ['what it is worth', yes(60, 0.6)],
    ['what it is worth, which binary fractions exceed', no(70.5, 0.705)],
    ['more', yes(60, 0.62)],
    ['a whole dollar', yes(100, 1)],
  ])('gets nothing at the cost of %s', (_, bet) => {
    expect(stakes([bet], true)).toEqual([0]);
    expect(stakes([bet], false)).toEqual([0]);
  });
});

describe('several bets', () => {
  test('on independent markets are each taken alone, and scaled down to 5 % together', () => {
    expect(stakes([yes(52, 0.5), yes(51, 0.5)], false)).toEqual([0.01, 0.005]);
    expect(stakes([yes(60, 0.5), yes(70, 0.5)], false)).toEqual([0.0166, 0.0333]);
  });

  test('on an exclusive set keep a reserve for the other outcomes', () => {
    // R = (1 − 0.7) / (1 − 0.55) = 2/3: stakes of p − c·R.
    const full = fullKelly([yes(40, 0.3), yes(30, 0.25)], true);
    expect(full.map(each => roundTo(each, 9))).toEqual([0.2, roundTo(0.3 - 0.25 * (2 / 3), 9)]);
  });

  test('pay together where they are against outcomes that exclude each other', () => {
    // Alone, each is worth 0.1; together, one loses at most.
    const full = fullKelly([no(82, 0.8), no(82, 0.8)], true);
    expect(sum(full)).toBeGreaterThan(0.2);
  });

  test('stake everything and no more on a sure gain', () => {
    const full = fullKelly([no(50, 0.4), no(61, 0.52)], true);
    expect(sum(full)).toBeCloseTo(1, 12);
  });

  test('leave out one that would only be a hedge', () => {
    expect(fullKelly([yes(70, 0.5), yes(28, 0.29)], true)).toEqual([expect.closeTo(0.4, 12), 0]);
  });

  test('are none without bets', () => {
    expect(stakes([], true)).toEqual([]);
    expect(stakes([], false)).toEqual([]);
  });
});

/** What a market asks for a share of each outcome, by how far its price is from the estimate, with a fee. */
const quoted = fc.record({
  weight: fc.integer({ min: 0, max: 100 }),
  side: fc.constantFrom('BUY_YES' as const, 'BUY_NO' as const),
  offPoints: fc.integer({ min: -40, max: 15 }),
  feeRate: fc.constantFrom(0, 0.03, 0.07),
});

/** Up to five bets on a set of which one outcome happens; the last one has none. */
const sets = (side?: StakedBet['side']) =>
  fc
    .tuple(fc.array(quoted, { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 60 }))
    .filter(([each, rest]) => rest + sum(each.map(({ weight }) => weight)) > 0)
    .map(([each, rest]) => {
      const percents = roundDistribution([...each.map(({ weight }) => weight), rest]);
      return each.map((quote, index): StakedBet => {
        const bought = side ?? quote.side;
        const win = bought === 'BUY_YES' ? at(percents, index) : roundTo(100 - at(percents, index), 1);
        const price = Math.min(0.95, Math.max(0.02, (win + quote.offPoints) / 100));
        const cost = price + takerFee(price, { rate: quote.feeRate, exponent: 1 });
        return { side: bought, win_probability: win, share_cost: roundTo(cost, 6) };
      });
    });

const exclusiveSets = [
  ['single markets', sets().map(bets => bets.slice(0, 1))],
  ['exclusive sets of bets on outcomes', sets('BUY_YES')],
  ['exclusive sets of bets against outcomes', sets('BUY_NO')],
  ['exclusive sets of both', sets()],
] as const;

/** In whole millionths, in which both are exact. */
const hasEdge = ({ win_probability, share_cost }: StakedBet) =>
  Math.round(win_probability * 10_000) > Math.round(share_cost * 1_000_000);

describe.each(exclusiveSets)('on 250 random %s', (_, arbitrary) => {
  test('nothing grows faster than full Kelly', () => {
    fc.assert(
      fc.property(arbitrary, bets => {
        const portfolio = portfolioOf(bets.filter(hasEdge));
        const ours = fullKelly(bets, true).filter((_, index) => hasEdge(at(bets, index)));
        const found = ascend(portfolio, 1_000);
        expect(portfolio.growthOf(ours)).toBeGreaterThanOrEqual(found.growth - 1e-10);
        expect(portfolio.growthOf(ours)).toBeLessThanOrEqual(found.growth + found.shortBy);
        expect(portfolio.shortBy(ours)).toBeLessThan(1e-9);
      }),
      { numRuns: 250 },
    );
  });
});

describe.each([...exclusiveSets, ['independent markets', sets()] as const])(
  'on 1,000 random %s',
  (name, arbitrary) => {
    const exclusive = name !== 'independent markets';

    test('stakes are never above a quarter of Kelly, nor 5 % together, nor on a bet without an edge', () => {
      fc.assert(
        fc.property(arbitrary, bets => {
          const given = stakes(bets, exclusive);
          expect(sum(units(given))).toBeLessThanOrEqual(stakeEventMax * 10_000);
          const full = fullKelly(bets, exclusive);
          for (const [index, stake] of given.entries()) {
            expect(stake).toBeGreaterThanOrEqual(0);
            expect(stake).toBeLessThanOrEqual(at(full, index) * stakeKellyShare + 1e-9);
            if (!hasEdge(at(bets, index))) expect(stake).toBe(0);
          }
        }),
        { numRuns: 1_000 },
      );
    });

    test('neither their order nor a second run changes a stake', () => {
      fc.assert(
        fc.property(arbitrary, bets => {
          const given = stakes(bets, exclusive);
          expect(stakes(structuredClone(bets), exclusive)).toEqual(given);
          expect(stakes(bets.toReversed(), exclusive).toReversed()).toEqual(given);
        }),
        { numRuns: 1_000 },
      );
    });
  },
);
