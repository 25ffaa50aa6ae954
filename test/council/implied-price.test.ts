import { expect, test } from '@jest/globals';
import { impliedPrice } from '../../council/implied-price.js';
import { market } from './fixtures.js';

test('a tight book is worth its middle, even when the last trade says otherwise', () => {
  expect(impliedPrice(market({ name: 'A', bestBid: 0.55, bestAsk: 0.56, lastTrade: 0.9 }))).toBeCloseTo(
    0.555,
    12,
  );
});

test('a wide book or a missing side is worth the last trade', () => {
  expect(impliedPrice(market({ name: 'A', bestBid: 0.2, bestAsk: 0.31, lastTrade: 0.25 }))).toBe(0.25);
  expect(impliedPrice(market({ name: 'A', bestBid: null, bestAsk: 0.31, lastTrade: 0.25 }))).toBe(0.25);
});

test('an empty book of 1 and 96 cents is no price, not 0.485', () => {
  expect(impliedPrice(market({ name: 'A', bestBid: 0.01, bestAsk: 0.96, lastTrade: null }))).toBeNull();
});

test('a settlement print of a closed market is no price', () => {
  expect(impliedPrice(market({ name: 'A', status: 'closed', lastTrade: 0.7 }))).toBeNull();
  expect(impliedPrice(market({ name: 'A', placeholder: true, lastTrade: 0.7 }))).toBeNull();
});

test('a last trade of 0 or 1 is a feed that has nothing to say', () => {
  for (const lastTrade of [0, 1]) {
    expect(impliedPrice(market({ name: 'A', bestBid: null, lastTrade }))).toBeNull();
  }
});
