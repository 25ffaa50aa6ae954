import { expect, test } from '@jest/globals';
import { impliedPrice, orderBook, shareCost, takerFee } from '../../../council/market/prices.js';
import { market } from '../fixtures.js';

test('the fee is rate · (p · (1 − p)) ^ exponent', () => {
  expect(takerFee(0.56, { rate: 0.03, exponent: 1 })).toBeCloseTo(0.007392, 12);
  expect(takerFee(0.5, { rate: 0.25, exponent: 2 })).toBeCloseTo(0.015625, 12);
});

test('a rate of 0 means no fee', () => {
  expect(takerFee(0.5, { rate: 0, exponent: 1 })).toBe(0);
});

test('the price of a tight book is its middle, even if the last trade differs', () => {
  expect(impliedPrice(market({ name: 'A', bestBid: 0.55, bestAsk: 0.56, lastTrade: 0.9 }))).toBeCloseTo(
    0.555,
    12,
  );
});

test('the price of a wide or one-sided book is the last trade', () => {
  expect(impliedPrice(market({ name: 'A', bestBid: 0.2, bestAsk: 0.31, lastTrade: 0.25 }))).toBe(0.25);
  expect(impliedPrice(market({ name: 'A', bestBid: null, bestAsk: 0.31, lastTrade: 0.25 }))).toBe(0.25);
});

test('a book of 1 and 96 cents has no price', () => {
  expect(impliedPrice(market({ name: 'A', bestBid: 0.01, bestAsk: 0.96, lastTrade: null }))).toBeNull();
});

test('a settlement print of a closed market is not a price', () => {
  expect(impliedPrice(market({ name: 'A', status: 'closed', lastTrade: 0.7 }))).toBeNull();
  expect(impliedPrice(market({ name: 'A', placeholder: true, lastTrade: 0.7 }))).toBeNull();
});

test('a last trade of 0 or 1 is not a price', () => {
  for (const lastTrade of [0, 1]) {
    expect(impliedPrice(market({ name: 'A', bestBid: null, lastTrade }))).toBeNull();
  }
});

const book = (bestBid: number | null, bestAsk: number | null) =>
  orderBook(market({ name: 'A', bestBid, bestAsk }));

test('a spread of exactly ten cents is tight', () => {
  expect(book(0.35, 0.45)).toEqual({ bid: 0.35, ask: 0.45, tight: true });
  expect(book(0.35, 0.451).tight).toBe(false);
});

test('a bid of 0 and an ask of 1 are empty sides', () => {
  expect(book(0, 0.05)).toEqual({ bid: null, ask: 0.05, tight: false });
  expect(book(0.95, 1)).toEqual({ bid: 0.95, ask: null, tight: false });
});

test('a crossed book is not a price', () => {
  expect(book(0.5, 0.49).tight).toBe(false);
});

test('a closed market and a placeholder have no book', () => {
  const none = { bid: null, ask: null, tight: false };
  expect(orderBook(market({ name: 'A', status: 'closed' }))).toEqual(none);
  expect(orderBook(market({ name: 'A', placeholder: true }))).toEqual(none);
});

const canada = market({
  name: 'Canada',
  bestBid: 0.55,
  bestAsk: 0.56,
  takerFee: { rate: 0.03, exponent: 1 },
});

test('YES costs the ask plus fee, NO costs 1 − bid plus fee', () => {
  expect(shareCost(canada, 'BUY_YES')).toBeCloseTo(0.567392, 12);
  expect(shareCost(canada, 'BUY_NO')).toBeCloseTo(0.457425, 12);
});

test('a side without an offer has no cost', () => {
  expect(shareCost({ ...canada, bestAsk: null }, 'BUY_YES')).toBeNull();
  expect(shareCost({ ...canada, bestBid: 0 }, 'BUY_NO')).toBeNull();
  expect(shareCost({ ...canada, status: 'closed' }, 'BUY_YES')).toBeNull();
});
