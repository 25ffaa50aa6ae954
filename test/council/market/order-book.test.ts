import { describe, expect, test } from '@jest/globals';
import type { Market } from '../../../council/event.js';
import {
  areFeesUnknown,
  impliedPrice,
  orderBook,
  shareCost,
  takerFee,
} from '../../../council/market/prices.js';
import { market } from '../fixtures.js';

test('the fee is rate · (p · (1 − p)) ^ exponent, and none at a rate of 0', () => {
  expect(takerFee(0.56, { rate: 0.03, exponent: 1 })).toBeCloseTo(0.007392, 12);
  expect(takerFee(0.5, { rate: 0.25, exponent: 2 })).toBeCloseTo(0.015625, 12);
  expect(takerFee(0.5, { rate: 0, exponent: 1 })).toBe(0);
});

describe('the price of a market', () => {
  test.each<[string, Partial<Market>, number | null]>([
    [
      'is the middle of a tight book, even if the last trade differs',
      { bestBid: 0.4, bestAsk: 0.41, lastTrade: 0.9 },
      0.405,
    ],
    ['is the last trade if the book is wide', { bestBid: 0.2, bestAsk: 0.31, lastTrade: 0.25 }, 0.25],
    ['is the last trade if the book has one side', { bestBid: null, bestAsk: 0.31, lastTrade: 0.25 }, 0.25],
    ['is none in a book of 1 and 96 cents', { bestBid: 0.01, bestAsk: 0.96, lastTrade: null }, null],
    ['is no settlement of a closed market', { status: 'closed', lastTrade: 0.7 }, null],
    ['is none of a placeholder', { placeholder: true, lastTrade: 0.7 }, null],
    ['is no last trade at 0', { bestBid: null, lastTrade: 0 }, null],
    ['is no last trade at 1', { bestBid: null, lastTrade: 1 }, null],
  ])('%s', (_, quotes, price) => {
    const implied = impliedPrice(market({ name: 'A', ...quotes }));
    if (price === null) expect(implied).toBeNull();
    else expect(implied).toBeCloseTo(price, 12);
  });
});

describe('a book', () => {
  test.each<[string, Partial<Market>, ReturnType<typeof orderBook>]>([
    ['of ten cents is tight', { bestBid: 0.35, bestAsk: 0.45 }, { bid: 0.35, ask: 0.45, tight: true }],
    ['that is wider is not', { bestBid: 0.35, bestAsk: 0.451 }, { bid: 0.35, ask: 0.451, tight: false }],
    ['that is crossed is not', { bestBid: 0.5, bestAsk: 0.49 }, { bid: 0.5, ask: 0.49, tight: false }],
    ['with a bid of 0 has no bid', { bestBid: 0, bestAsk: 0.05 }, { bid: null, ask: 0.05, tight: false }],
    ['with an ask of 1 has no ask', { bestBid: 0.95, bestAsk: 1 }, { bid: 0.95, ask: null, tight: false }],
    ['of a closed market is empty', { status: 'closed' }, { bid: null, ask: null, tight: false }],
    ['of a placeholder is empty', { placeholder: true }, { bid: null, ask: null, tight: false }],
  ])('%s', (_, quotes, book) => {
    expect(orderBook(market({ name: 'A', ...quotes }))).toEqual(book);
  });
});

const fee = { rate: 0.03, exponent: 1 };
const canada = market({ name: 'Canada', bestBid: 0.55, bestAsk: 0.56, takerFee: fee });

test('YES costs the ask plus fee, NO costs 1 − bid plus fee', () => {
  expect(shareCost(canada, 'BUY_YES')).toBeCloseTo(0.567392, 12);
  expect(shareCost(canada, 'BUY_NO')).toBeCloseTo(0.457425, 12);
});

test('a side without an offer has no cost', () => {
  expect(shareCost({ ...canada, bestAsk: null }, 'BUY_YES')).toBeNull();
  expect(shareCost({ ...canada, bestBid: 0 }, 'BUY_NO')).toBeNull();
  expect(shareCost({ ...canada, status: 'closed' }, 'BUY_YES')).toBeNull();
});

test.each([
  [0.5, 0.0175],
  [0.01, 0.0007],
  [0.99, 0.0007],
  [0.03, 0.0021],
  [0.37, 0.0164],
])('a fee at %d that the venue rounds up is %d, and an exact multiple stays', (price, fee) => {
  expect(takerFee(price, { rate: 0.07, exponent: 1, roundedUpToUsd: 0.0001 })).toBe(fee);
});

test('no bet on an event can be priced only if the fee of every market that trades is unknown', () => {
  const unknown = market({ name: 'A', takerFee: null });
  const known = market({ name: 'B' });
  const slot = market({ name: 'C', placeholder: true });
  const closed = market({ name: 'D', status: 'closed' });
  const areUnknown = (...markets: Market[]) => areFeesUnknown({ markets });
  expect(areUnknown(unknown, unknown)).toBe(true);
  expect(areUnknown(unknown, slot, closed)).toBe(true);
  expect(areUnknown(unknown, known)).toBe(false);
  expect(areUnknown(known)).toBe(false);
  expect(areUnknown()).toBe(false);
});
