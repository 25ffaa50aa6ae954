import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type BetOptions,
  bets,
  type ComparedMarket,
  logGrowth,
  verdict,
} from '../../../council/conclusion/bets.js';
import type { Market } from '../../../council/event.js';
import { impliedPrice } from '../../../council/market/prices.js';
import { roundTo } from '../../../council/numbers.js';
import type { Bet } from '../../../council/report.js';
import { market } from '../fixtures.js';

const inPercent = (share: number) => roundTo(share * 100, 1);

/** A market that the council and the bets give the same probability. */
function compared(council: number, overrides: Partial<Market> & { name: string }): ComparedMarket {
  const quoted = market(overrides);
  const price = impliedPrice(quoted);
  return {
    name: quoted.name,
    market: quoted,
    councilPercent: inPercent(council),
    probability: council,
    probabilityPercent: inPercent(council),
    implied: price,
    impliedPercent: price === null ? null : inPercent(price),
    price,
  };
}

/** The bets on these markets by a whole council and fresh quotes. */
const betsOn = (markets: readonly ComparedMarket[], more: Partial<BetOptions> = {}) =>
  bets(markets, { favourite: null, quoteAgeSeconds: 10, degraded: false, ...more });

/** The first bet on a single market. */
const one = (council: number, overrides: Partial<Market> = {}, more: Partial<BetOptions> = {}) =>
  betsOn([compared(council, { name: 'A', ...overrides })], more)[0];

const favourite = { market: 'A', side: 'BUY_YES' } as const;

/** The first bet on a single market of which the council says 62 % and the estimate something else. */
const byEstimate = (
  probability: number | null,
  overrides: Partial<Market> = {},
  more: Partial<BetOptions> = {},
) => {
  const probabilityPercent = probability === null ? null : inPercent(probability);
  const priced = { ...compared(0.62, { name: 'A', ...overrides }), probability, probabilityPercent };
  return betsOn([priced], { favourite, ...more })[0];
};

const quotes = (bestBid: number, bestAsk: number, rate = 0) => ({
  bestBid,
  bestAsk,
  takerFee: { rate, exponent: 1 },
});

describe('the worked example (bid 0.55, ask 0.56, sports fee 0.03, council 62 %)', () => {
  const canada = compared(0.62, { name: 'Canada', slug: 'can', ...quotes(0.55, 0.56, 0.03) });

  test('has the expected value in every field', () => {
    expect(betsOn([canada])).toEqual([
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
  });

  test('costs NO at 1 − bid plus fee', () => {
    const unlikely = { ...canada, councilPercent: 30, probability: 0.3, probabilityPercent: 30 };
    const no = { side: 'BUY_NO', share_cost: 0.457425, win_probability: 70, consensus_probability: 30 };
    expect(betsOn([unlikely])).toMatchObject([no]);
  });
});

describe('an edge requires', () => {
  const fifty = quotes(0.5, 0.51);

  test.each<[string, met: Parameters<typeof one>, ...unmet: Parameters<typeof one>[]]>([
    ['exactly 5 points', [0.555, fifty], [0.5549, fifty]],
    [
      '8 points from a degraded council',
      [0.585, fifty, { degraded: true }],
      [0.584, fifty, { degraded: true }],
    ],
    ['a return of 5 % after the fee', [0.87, quotes(0.79, 0.82)], [0.87, quotes(0.79, 0.82, 0.1)]],
    ['a cost of 3 cents', [0.3, quotes(0.01, 0.03)], [0.3, quotes(0.01, 0.029)]],
    ['a cost of 3 to 97 cents of its own side only', [0.9, quotes(0.029, 0.035)]],
    [
      'a fresh quote',
      [0.7, {}, { quoteAgeSeconds: 300 }],
      [0.7, {}, { quoteAgeSeconds: 301 }],
      [0.7, {}, { quoteAgeSeconds: Number.NaN }],
    ],
    [
      'a tight, uncrossed book',
      [0.7],
      [0.7, { bestBid: null, lastTrade: 0.4 }],
      [0.7, { bestBid: 0.2, bestAsk: 0.42, lastTrade: 0.4 }],
      [0.7, { bestBid: 0.43, bestAsk: 0.42, lastTrade: 0.4 }],
    ],
  ])('%s', (_, met, ...unmet) => {
    expect(one(...met)).toMatchObject({ kind: 'edge', side: 'BUY_YES' });
    for (const each of unmet) expect(one(...each)).toBeUndefined();
  });
});

describe('a pick by the estimate', () => {
  const old = { lastTrade: 0.4 };

  test.each<[string, met: Parameters<typeof byEstimate>, ...unmet: Parameters<typeof byEstimate>[]]>([
    ['a loss of at most 5 % by its own reckoning', [0.399], [0.398]],
    ['an estimate', [0.4], [null]],
    ['a fresh quote', [0.4], [0.4, {}, { quoteAgeSeconds: 301 }]],
    ['an offer', [0.4], [0.4, { bestAsk: null, ...old }]],
    ['a bid no more than 10 cents below', [0.41, { bestBid: 0.32 }], [0.4, { bestBid: 0.31, ...old }]],
    ['a bid', [0.4], [0.4, { bestBid: null, ...old }]],
    ['a share that costs less than the dollar that it pays', [0.4], [0.985, quotes(0.985, 0.99, 2)]],
  ])('requires %s', (_, met, ...unmet) => {
    expect(byEstimate(...met)).toMatchObject({ kind: 'pick', consensus_probability: 62 });
    for (const each of unmet) expect(byEstimate(...each)).toBeUndefined();
  });

  test('is omitted if the same market has an edge', () => {
    expect(byEstimate(0.5)?.kind).toBe('edge');
    expect(byEstimate(0.3)?.side).toBe('BUY_NO');
  });

  test('may be the NO of the only market', () => {
    const no = one(0.4, {}, { favourite: { market: 'A', side: 'BUY_NO' } });
    expect(no).toMatchObject({ side: 'BUY_NO', win_probability: 60, share_cost: 0.6, kind: 'pick' });
  });
});

describe('the list', () => {
  test('has only bets on prices that imply a probability', () => {
    const unimplied = { implied: null, impliedPercent: null };
    expect(betsOn([{ ...compared(0.7, { name: 'A' }), ...unimplied }])).toEqual([]);
    expect(betsOn([{ ...compared(0.42, { name: 'A' }), ...unimplied }], { favourite })).toEqual([]);
  });

  test('puts edges before the pick, ordered by growth', () => {
    const markets = [
      compared(0.1, { name: 'Long', bestBid: 0.03, bestAsk: 0.04 }),
      compared(0.65, { name: 'Likely', bestBid: 0.5, bestAsk: 0.51 }),
      compared(0.43, { name: 'Pick' }),
    ];
    const ranked = betsOn(markets, { favourite: { market: 'Pick', side: 'BUY_YES' } });
    expect(ranked.map(({ market }) => market)).toEqual(['Likely', 'Long', 'Pick']);
  });

  test('breaks ties by slug, then by name, in any input order', () => {
    const ties = [
      compared(0.6, { name: 'C', slug: 's2' }),
      compared(0.6, { name: 'B', slug: 's1' }),
      compared(0.6, { name: 'A', slug: 's2' }),
    ];
    for (const given of [ties, ties.toReversed()]) {
      expect(betsOn(given).map(({ market }) => market)).toEqual(['B', 'A', 'C']);
    }
  });

  test('has at most five bets', () => {
    expect(betsOn([1, 2, 3, 4, 5, 6, 7].map(n => compared(0.6, { name: `M${n}` })))).toHaveLength(5);
  });
});

test('for any book and opinion one side at most is a bet, with the published margins, and none inside the spread', () => {
  const cents = fc.integer({ min: 1, max: 999 }).map(n => n / 1_000);
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(cents, cents, share, fc.constantFrom(0, 0.03, 0.07), (a, b, p, rate) => {
      const given = quotes(Math.min(a, b), Math.max(a, b), rate);
      const found = betsOn([compared(p, { name: 'A', ...given })]);
      expect(found.length).toBeLessThanOrEqual(1);
      for (const bet of found) {
        expect(bet.edge_points).toBeGreaterThanOrEqual(5);
        expect(bet.expected_return_per_dollar).toBeGreaterThanOrEqual(0.05);
        expect(bet.payout_per_dollar).toBeCloseTo((1 - bet.share_cost) / bet.share_cost, 2);
      }
      const inside = given.bestBid + (given.bestAsk - given.bestBid) * p;
      expect(one(inside, given)).toBeUndefined();
    }),
  );
});

test('a likely small edge has more growth than a long shot with ten times the return; without an edge there is none', () => {
  expect(logGrowth(0.62, 0.56)).toBeCloseTo(0.0074, 4);
  expect(logGrowth(0.02, 0.01)).toBeCloseTo(0.0039, 4);
  expect(logGrowth(0.5, 0.5)).toBe(0);
  expect(logGrowth(0.1, 0.9)).toBe(0);
});

test('growth is finite and never negative, even for a certain council', () => {
  expect(logGrowth(1, 0.5)).toBeCloseTo(Math.log(2), 12);
  const win = fc.double({ min: 0, max: 1, noNaN: true });
  const cost = fc.double({ min: 0.001, max: 0.999, noNaN: true });
  fc.assert(fc.property(win, cost, (p, c) => logGrowth(p, c) >= -1e-15 && Number.isFinite(logGrowth(p, c))));
});

test('the action is the side of the queried market’s edge, and SKIP for an edge elsewhere, a pick or no bet', () => {
  const edge = one(0.7);
  if (edge === undefined) throw new Error('no edge');
  const bet = (overrides: Partial<Bet>): Bet => ({ ...edge, ...overrides });
  expect(verdict('A', [bet({ market: 'B' }), bet({ side: 'BUY_NO' })])).toBe('BUY_NO');
  for (const none of [[bet({ market: 'B' })], [bet({ kind: 'pick' })], []]) {
    expect(verdict('A', none)).toBe('SKIP');
  }
});
