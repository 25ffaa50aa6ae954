import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bets, logGrowth, verdict } from '../../../council/conclusion/bets.js';
import type { Bet } from '../../../council/report.js';
import { compared, one, options } from './compared-market.js';

const sport = { rate: 0.03, exponent: 1 };

describe('the worked example (bid 0.55, ask 0.56, sports fee 0.03, council 62 %)', () => {
  const canada = compared(0.62, {
    name: 'Canada',
    slug: 'can',
    bestBid: 0.55,
    bestAsk: 0.56,
    takerFee: sport,
  });

  test('has the expected value in every field', () => {
    expect(bets([canada], options())).toEqual([
      {
        side: 'BUY_YES',
        market: 'Canada',
        kind: 'edge',
        yes_price: 0.555,
        share_cost: 0.567392,
        consensus_probability: 62,
        market_implied_probability: 55.5,
        edge_points: 6.5,
        win_probability: 62,
        payout_per_dollar: 0.76245,
        expected_return_per_dollar: 0.092719,
        slug: 'can',
      },
    ]);
    expect((0.62 - 0.567392) * 100).toBeCloseTo(5.26, 2);
  });

  test('costs NO at 1 − bid plus fee: at 38 % it would lose 16.9 %', () => {
    const [no] = bets(
      [{ ...canada, councilPercent: 30, probability: 0.3, probabilityPercent: 30 }],
      options(),
    );
    expect(no).toMatchObject({
      side: 'BUY_NO',
      share_cost: 0.457425,
      win_probability: 70,
      consensus_probability: 30,
    });
    expect(0.38 / 0.457425 - 1).toBeCloseTo(-0.169, 3);
  });
});

describe('an edge', () => {
  test('requires exactly 5 points', () => {
    expect(one(0.555, { bestBid: 0.5, bestAsk: 0.51 })).toMatchObject({ kind: 'edge', edge_points: 5 });
    expect(one(0.5549, { bestBid: 0.5, bestAsk: 0.51 })).toBeUndefined();
  });

  test('requires 8 points from a degraded council', () => {
    expect(one(0.584, { bestBid: 0.5, bestAsk: 0.51 }, { degraded: true })).toBeUndefined();
    expect(one(0.585, { bestBid: 0.5, bestAsk: 0.51 }, { degraded: true })?.kind).toBe('edge');
  });

  test('requires a return of 5 % after the fee', () => {
    expect(one(0.87, { bestBid: 0.79, bestAsk: 0.82 })?.kind).toBe('edge');
    expect(one(0.87, { bestBid: 0.79, bestAsk: 0.82, takerFee: { rate: 0.1, exponent: 1 } })).toBeUndefined();
  });

  test('requires a cost of 3 to 97 cents', () => {
    expect(one(0.3, { bestBid: 0.01, bestAsk: 0.029 })).toBeUndefined();
    expect(one(0.3, { bestBid: 0.01, bestAsk: 0.03 })?.kind).toBe('edge');
    expect(one(0.9, { bestBid: 0.029, bestAsk: 0.035 })?.side).toBe('BUY_YES');
  });

  test('requires a fresh quote', () => {
    expect(one(0.7, {}, { quoteAgeSeconds: 300 })?.kind).toBe('edge');
    expect(one(0.7, {}, { quoteAgeSeconds: 301 })).toBeUndefined();
    expect(one(0.7, {}, { quoteAgeSeconds: Number.NaN })).toBeUndefined();
  });

  test('requires a tight, uncrossed book', () => {
    expect(one(0.7, { bestBid: null, lastTrade: 0.4 })).toBeUndefined();
    expect(one(0.7, { bestBid: 0.2, bestAsk: 0.42, lastTrade: 0.4 })).toBeUndefined();
    expect(one(0.7, { bestBid: 0.43, bestAsk: 0.42, lastTrade: 0.4 })).toBeUndefined();
  });

  test('requires prices that imply a probability', () => {
    const unimplied = { ...compared(0.7, { name: 'A' }), implied: null, impliedPercent: null };
    expect(bets([unimplied], options())).toEqual([]);
  });
});

describe('the list', () => {
  test('puts edges before the pick, ordered by growth', () => {
    const ranked = bets(
      [
        compared(0.1, { name: 'Long', bestBid: 0.03, bestAsk: 0.04 }),
        compared(0.65, { name: 'Likely', bestBid: 0.5, bestAsk: 0.51 }),
        compared(0.43, { name: 'Pick' }),
      ],
      options({ favourite: { market: 'Pick', side: 'BUY_YES' } }),
    );
    expect(ranked.map(({ market }) => market)).toEqual(['Likely', 'Long', 'Pick']);
  });

  test('breaks ties by slug, then by name, in any input order', () => {
    const ties = [
      compared(0.6, { name: 'C', slug: 's2' }),
      compared(0.6, { name: 'B', slug: 's1' }),
      compared(0.6, { name: 'A', slug: 's2' }),
    ];
    for (const given of [ties, ties.toReversed()]) {
      expect(bets(given, options()).map(({ market }) => market)).toEqual(['B', 'A', 'C']);
    }
  });

  test('has at most five bets', () => {
    const seven = Array.from({ length: 7 }, (_, i) => compared(0.6, { name: `M${i}` }));
    expect(bets(seven, options())).toHaveLength(5);
  });
});

const book = ({ a, b, rate }: { a: number; b: number; rate: number }) => ({
  bestBid: Math.min(a, b),
  bestAsk: Math.max(a, b),
  takerFee: { rate, exponent: 1 },
});

describe('for any book and any opinion', () => {
  const cents = fc.integer({ min: 1, max: 999 }).map(n => n / 1_000);
  const any = fc.record({
    a: cents,
    b: cents,
    p: fc.double({ min: 0, max: 1, noNaN: true }),
    rate: fc.constantFrom(0, 0.03, 0.07),
  });

  test('YES and NO of one market are never both bets', () => {
    fc.assert(
      fc.property(any, ({ p, ...quotes }) => {
        expect(bets([compared(p, { name: 'A', ...book(quotes) })], options()).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('an opinion inside the spread is never an edge', () => {
    fc.assert(
      fc.property(any, ({ p, ...quotes }) => {
        const { bestBid, bestAsk } = book(quotes);
        const inside = bestBid + (bestAsk - bestBid) * p;
        expect(bets([compared(inside, { name: 'A', ...book(quotes) })], options())).toEqual([]);
      }),
    );
  });

  test('every edge meets the published margins', () => {
    fc.assert(
      fc.property(any, ({ p, ...quotes }) => {
        for (const bet of bets([compared(p, { name: 'A', ...book(quotes) })], options())) {
          expect(bet.edge_points).toBeGreaterThanOrEqual(5);
          expect(bet.expected_return_per_dollar).toBeGreaterThanOrEqual(0.05);
          expect(bet.payout_per_dollar).toBeCloseTo((1 - bet.share_cost) / bet.share_cost, 2);
        }
      }),
    );
  });
});

test('a likely small edge has more growth than a long shot with ten times the return', () => {
  expect(logGrowth(0.62, 0.56)).toBeCloseTo(0.0074, 4);
  expect(logGrowth(0.02, 0.01)).toBeCloseTo(0.0039, 4);
});

test('a share at or above its expected value has no growth', () => {
  expect(logGrowth(0.5, 0.5)).toBe(0);
  expect(logGrowth(0.1, 0.9)).toBe(0);
});

test('growth is finite and never negative, even for a certain council', () => {
  expect(logGrowth(1, 0.5)).toBeCloseTo(Math.log(2), 12);
  const q = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(q, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (p, c) => logGrowth(p, c) >= -1e-15),
  );
});

const bet = (overrides: Partial<Bet>): Bet => ({
  side: 'BUY_YES',
  market: 'A',
  kind: 'edge',
  yes_price: 0.4,
  share_cost: 0.42,
  consensus_probability: 60,
  market_implied_probability: 40,
  edge_points: 20,
  win_probability: 60,
  payout_per_dollar: 1.381,
  expected_return_per_dollar: 0.4286,
  slug: 'a',
  ...overrides,
});

test('the action is the side of the queried market’s edge', () => {
  expect(verdict('A', [bet({ market: 'B' }), bet({ side: 'BUY_NO' })])).toBe('BUY_NO');
});

test('the action is SKIP for an edge elsewhere, a pick or no bet', () => {
  expect(verdict('A', [bet({ market: 'B' })])).toBe('SKIP');
  expect(verdict('A', [bet({ kind: 'pick' })])).toBe('SKIP');
  expect(verdict('A', [])).toBe('SKIP');
});
