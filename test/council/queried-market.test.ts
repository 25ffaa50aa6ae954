import { expect, test } from '@jest/globals';
import { queriedMarket } from '../../council/queried-market.js';
import { event, market, priced, unpriced } from './fixtures.js';

test('the only market is the one queried, price or no price', () => {
  expect(queriedMarket(event([unpriced('Will it rain?')]))?.name).toBe('Will it rain?');
});

test('of several it is the market’s favourite', () => {
  expect(queriedMarket(event([priced('A', 0.2), priced('B', 0.5), priced('C', 0.3)]))?.name).toBe('B');
});

test('of equal favourites it is the first by name, in whatever order they come', () => {
  const twins = [priced('B', 0.5), priced('A', 0.5)];
  expect(queriedMarket(event(twins))?.name).toBe('A');
  expect(queriedMarket(event(twins.toReversed()))?.name).toBe('A');
});

test('where nothing has a price it is the one of the largest volume', () => {
  expect(queriedMarket(event([unpriced('A'), unpriced('B', { volume: 9_999 })]))?.name).toBe('B');
});

test('an event with nothing left to trade has none', () => {
  const over = [market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })];
  expect(queriedMarket(event(over))).toBeNull();
});
