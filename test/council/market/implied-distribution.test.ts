import { describe, expect, test } from '@jest/globals';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution, queriedMarket } from '../../../council/market/prices.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const implied = (...args: Parameters<typeof event>) => impliedDistribution(outcomeSet(event(...args)));
const total = (percents: readonly (number | null)[]) =>
  percents.reduce<number>((sum, p) => sum + Math.round((p ?? 0) * 10), 0);

describe('an exclusive event', () => {
  test('whose prices add up to 0.9–1.1 is normalised to exactly 100', () => {
    const market3 = implied([priced('A', 0.6), priced('B', 0.25), priced('C', 0.2)]);
    expect(market3).toMatchObject({
      basis: 'normalised',
      trustworthy: true,
      favourite: { index: 0, percent: 57.1 },
    });
    expect(market3.percents).toEqual([57.1, 23.8, 19.1]);
    expect(total(market3.percents)).toBe(1_000);
  });

  test.each([
    ['exactly 0.9', [0.5, 0.4], 'normalised'],
    ['exactly 1.1', [0.6, 0.5], 'normalised'],
    ['0.89', [0.5, 0.39], 'sum_out_of_range'],
    ['1.11', [0.6, 0.51], 'sum_out_of_range'],
  ])('whose prices add up to %s is %#', (_, [a, b], basis) => {
    expect(implied([priced('A', a ?? 0), priced('B', b ?? 0)]).basis).toBe(basis);
  });

  test('whose prices do not add up implies nothing and states why', () => {
    expect(implied([priced('A', 0.8), priced('B', 0.5)])).toMatchObject({
      basis: 'sum_out_of_range',
      percents: [null, null],
      favourite: null,
      trustworthy: false,
    });
  });

  test('keeps null for an outcome without a price if the others add up', () => {
    const some = implied([priced('A', 0.7), priced('B', 0.28), unpriced('C')]);
    expect(some.percents).toEqual([71.4, 28.6, null]);
  });

  test('without any price implies nothing', () => {
    expect(implied([unpriced('A'), unpriced('B')])).toMatchObject({ basis: 'no_price', favourite: null });
  });

  test('whose favourite is priced by an old trade is not trustworthy', () => {
    const stale = market({ name: 'A', bestBid: null, lastTrade: 0.7 });
    expect(implied([stale, priced('B', 0.3)])).toMatchObject({ basis: 'normalised', trustworthy: false });
  });

  test('has no price for Any other if no market left out has one', () => {
    const long = Array.from({ length: 45 }, (_, i) => unpriced(`L${i + 10}`, { volume: 100 - i }));
    const { prices } = impliedDistribution(outcomeSet(event(long)));
    expect(prices.at(-1)).toBeNull();
  });
});

describe('one market', () => {
  test('gives p to its first side and 1 − p to the other', () => {
    expect(implied([priced('Q', 0.415)]).percents).toEqual([41.5, 58.5]);
  });

  test('without a price implies nothing for either side', () => {
    expect(implied([unpriced('Q')])).toMatchObject({ basis: 'no_price', percents: [null, null] });
  });
});

describe('an event of independent markets', () => {
  test('is never normalised', () => {
    const ladder = implied([priced('A', 0.9), priced('B', 0.8), unpriced('C')], { exclusive: false });
    expect(ladder).toMatchObject({ basis: 'independent', percents: [90, 80, null], trustworthy: true });
  });

  test('has no favourite priced by an old trade', () => {
    const stale = market({ name: 'A', bestBid: null, lastTrade: 0.95 });
    expect(implied([stale, priced('B', 0.3)], { exclusive: false }).favourite).toEqual({
      index: 1,
      percent: 30,
    });
    expect(implied([stale, unpriced('B')], { exclusive: false })).toMatchObject({
      favourite: null,
      trustworthy: false,
    });
  });
});

test('the only market is the queried one, with or without a price', () => {
  expect(queriedMarket(event([unpriced('Will it rain?')]))?.name).toBe('Will it rain?');
});

test('of several markets the favourite is queried', () => {
  expect(queriedMarket(event([priced('A', 0.2), priced('B', 0.5), priced('C', 0.3)]))?.name).toBe('B');
});

test('of equal favourites the first by name is queried', () => {
  const twins = [priced('B', 0.5), priced('A', 0.5)];
  expect(queriedMarket(event(twins))?.name).toBe('A');
  expect(queriedMarket(event(twins.toReversed()))?.name).toBe('A');
});

test('without prices the market with the largest volume is queried', () => {
  expect(queriedMarket(event([unpriced('A'), unpriced('B', { volume: 9_999 })]))?.name).toBe('B');
});

test('an event with nothing left to trade has no queried market', () => {
  const over = [market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })];
  expect(queriedMarket(event(over))).toBeNull();
});
