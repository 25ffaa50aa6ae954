import { expect, test } from '@jest/globals';
import { orderBook } from '../../council/order-book.js';
import { market } from './fixtures.js';

const book = (bestBid: number | null, bestAsk: number | null) =>
  orderBook(market({ name: 'A', bestBid, bestAsk }));

test('a spread of exactly ten cents is still tight, in decimals', () => {
  expect(book(0.35, 0.45)).toEqual({ bid: 0.35, ask: 0.45, tight: true });
  expect(book(0.35, 0.451).tight).toBe(false);
});

test('a bid of 0 and an ask of 1 are nobody there', () => {
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
