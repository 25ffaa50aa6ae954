import { describe, expect, test } from '@jest/globals';
import { type BetOptions, bets } from '../../../council/conclusion/bets.js';
import type { Market } from '../../../council/event.js';
import { roundTo } from '../../../council/numbers.js';
import { compared, one, options } from './compared-market.js';

describe('a pick by the estimate', () => {
  const favourite = { market: 'A', side: 'BUY_YES' } as const;
  const byEstimate = (
    probability: number | null,
    overrides: Partial<Market> = {},
    opts: Partial<BetOptions> = {},
  ) => {
    const percent = probability === null ? null : roundTo(probability * 100, 1);
    const priced = {
      ...compared(0.62, { name: 'A', ...overrides }),
      probability,
      probabilityPercent: percent,
    };
    return bets([priced], options({ pricedBy: 'estimate', favourite, ...opts }))[0];
  };

  test('may lose at most 5 % by its own reckoning', () => {
    expect(byEstimate(0.399)).toMatchObject({
      kind: 'pick',
      win_probability: 39.9,
      consensus_probability: 62,
    });
    expect(byEstimate(0.398)).toBeUndefined();
  });

  test('requires a fresh quote on both sides, no wider than 10 cents', () => {
    expect(byEstimate(0.4, {}, { quoteAgeSeconds: 301 })).toBeUndefined();
    expect(byEstimate(0.4, { bestBid: null, lastTrade: 0.4 })).toBeUndefined();
    expect(byEstimate(0.4, { bestBid: 0.31, lastTrade: 0.4 })).toBeUndefined();
    expect(byEstimate(0.41, { bestBid: 0.32 })?.kind).toBe('pick');
  });

  test('like every bet, requires an estimate and prices that imply a probability', () => {
    expect(byEstimate(null)).toBeUndefined();
    const unimplied = { ...compared(0.42, { name: 'A' }), implied: null, impliedPercent: null };
    expect(bets([unimplied], options({ pricedBy: 'estimate', favourite }))).toEqual([]);
  });

  test('is omitted if the same market has an edge', () => {
    expect(byEstimate(0.5)?.kind).toBe('edge');
    expect(byEstimate(0.3)?.side).toBe('BUY_NO');
  });
});

describe('a pick of council/1', () => {
  const favourite = { market: 'A', side: 'BUY_YES' } as const;

  test('is the council’s favourite at a fair price without an edge', () => {
    expect(one(0.43, {}, { favourite })).toMatchObject({ kind: 'pick', side: 'BUY_YES', edge_points: 2 });
  });

  test('is omitted if the same market has an edge', () => {
    expect(bets([compared(0.7, { name: 'A' })], options({ favourite })).map(b => b.kind)).toEqual(['edge']);
    expect(bets([compared(0.2, { name: 'A' })], options({ favourite })).map(b => b.side)).toEqual(['BUY_NO']);
  });

  test('is omitted at a price 5 points above the council’s', () => {
    expect(one(0.361, {}, { favourite, quoteAgeSeconds: 999 })?.kind).toBe('pick');
    expect(one(0.36, {}, { favourite, quoteAgeSeconds: 999 })).toBeUndefined();
  });

  test('may be the NO of the only market', () => {
    const no = one(0.4, {}, { favourite: { market: 'A', side: 'BUY_NO' } });
    expect(no).toMatchObject({ side: 'BUY_NO', win_probability: 60, share_cost: 0.6, kind: 'pick' });
  });

  test('uses the market’s own price if the prices imply no distribution', () => {
    const unimplied = { ...compared(0.42, { name: 'A' }), implied: null, impliedPercent: null };
    expect(bets([unimplied], options({ favourite }))).toMatchObject([
      { kind: 'pick', market_implied_probability: 41 },
    ]);
  });

  test('requires a price and an offer', () => {
    expect(one(0.4, { bestBid: null, bestAsk: 0.4 }, { favourite })).toBeUndefined();
    expect(one(0.4, { bestAsk: null, lastTrade: 0.4 }, { favourite })).toBeUndefined();
  });

  test('is omitted if a share costs the dollar that it pays', () => {
    const expensive = { bestBid: 0.985, bestAsk: 0.99, takerFee: { rate: 2, exponent: 1 } };
    expect(one(0.985, expensive, { favourite })).toBeUndefined();
  });
});
