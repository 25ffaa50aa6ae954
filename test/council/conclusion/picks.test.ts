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
    return bets([priced], options({ favourite, ...opts }))[0];
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
    expect(bets([unimplied], options({ favourite }))).toEqual([]);
  });

  test('is omitted if the same market has an edge', () => {
    expect(byEstimate(0.5)?.kind).toBe('edge');
    expect(byEstimate(0.3)?.side).toBe('BUY_NO');
  });

  test('may be the NO of the only market', () => {
    const no = one(0.4, {}, { favourite: { market: 'A', side: 'BUY_NO' } });
    expect(no).toMatchObject({ side: 'BUY_NO', win_probability: 60, share_cost: 0.6, kind: 'pick' });
  });

  test('requires an offer', () => {
    expect(byEstimate(0.4, { bestAsk: null, lastTrade: 0.4 })).toBeUndefined();
  });

  test('is omitted if a share costs the dollar that it pays', () => {
    const expensive = { bestBid: 0.985, bestAsk: 0.99, takerFee: { rate: 2, exponent: 1 } };
    expect(byEstimate(0.985, expensive)).toBeUndefined();
  });
});
