import { expect, test } from '@jest/globals';
import { contested } from '../../council/contested.js';
import { impliedDistribution } from '../../council/implied-distribution.js';
import { outcomeSet } from '../../council/outcome-set.js';
import { event, market, priced, unpriced } from './fixtures.js';

const implied = (...args: Parameters<typeof event>) => impliedDistribution(outcomeSet(event(...args)));

test('an exclusive event is contested as a whole or not at all', () => {
  const three = implied([priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)]);
  expect(contested(true, [0.3, 0.6, 0.1], three)).toEqual([true, true, true]);
  expect(contested(true, [0.5, 0.4, 0.1], three)).toEqual([false, false, false]);
});

test('a market that cannot be trusted contradicts nobody', () => {
  const stale = market({ name: 'A', bestBid: null, lastTrade: 0.7 });
  expect(contested(true, [0.1, 0.9], implied([stale, priced('B', 0.3)]))).toEqual([false, false]);
  expect(contested(true, [0.1, 0.9], implied([priced('A', 0.9), priced('B', 0.8)]))).toEqual([false, false]);
});

test('belief in an outcome that the market leaves nothing for is disagreement', () => {
  const two = implied([priced('A', 0.6), priced('B', 0.4), unpriced('C')]);
  expect(contested(true, [0.45, 0.3, 0.25], two)).toEqual([true, true, true]);
});

test('independent markets are contested one by one, and only where their price is firm', () => {
  const stale = market({ name: 'C', bestBid: null, lastTrade: 0.9 });
  const ladder = implied([priced('A', 0.2), priced('B', 0.5), stale, unpriced('D')], { exclusive: false });
  expect(contested(false, [0.5, 0.5, 0.1, 0.9], ladder)).toEqual([true, false, false, false]);
});
