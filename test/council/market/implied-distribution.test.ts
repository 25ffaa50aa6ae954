import { describe, expect, test } from '@jest/globals';
import type { Market } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution, queriedMarket } from '../../../council/market/prices.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const implied = (...args: Parameters<typeof event>) => impliedDistribution(outcomeSet(event(...args)));
describe('an exclusive event', () => {
  const stale = market({ name: 'A', bestBid: null, lastTrade: 0.7 });

  test.each<[string, Market[], object]>([
    [
      'whose prices add up to 0.9–1.1 is normalised to exactly 100',
      [priced('A', 0.6), priced('B', 0.25), priced('C', 0.2)],
      {
        basis: 'normalised',
        trustworthy: true,
        favourite: { index: 0, percent: 57.1 },
        percents: [57.1, 23.8, 19.1],
      },
    ],
    ['is normalised at exactly 0.9', [priced('A', 0.5), priced('B', 0.4)], { basis: 'normalised' }],
    ['is normalised at exactly 1.1', [priced('A', 0.6), priced('B', 0.5)], { basis: 'normalised' }],
    ['is not at 0.89', [priced('A', 0.5), priced('B', 0.39)], { basis: 'sum_out_of_range' }],
    ['is not at 1.11', [priced('A', 0.6), priced('B', 0.51)], { basis: 'sum_out_of_range' }],
    [
      'whose prices do not add up implies nothing and states why',
      [priced('A', 0.8), priced('B', 0.5)],
      { basis: 'sum_out_of_range', percents: [null, null], favourite: null, trustworthy: false },
    ],
    [
      'keeps null for an outcome without a price if the others add up',
      [priced('A', 0.7), priced('B', 0.28), unpriced('C')],
      { percents: [71.4, 28.6, null] },
    ],
    [
      'without any price implies nothing',
      [unpriced('A'), unpriced('B')],
      { basis: 'no_price', favourite: null },
    ],
    [
      'whose favourite is priced by an old trade is not trustworthy',
      [stale, priced('B', 0.3)],
      { basis: 'normalised', trustworthy: false },
    ],
  ])('%s', (_, markets, expected) => {
    expect(implied(markets)).toMatchObject(expected);
  });

  test('has no price for Any other if no market left out has one', () => {
    const long = Array.from({ length: 45 }, (_, i) => unpriced(`L${i + 10}`, { volume: 100 - i }));
    expect(implied(long).prices.at(-1)).toBeNull();
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

describe('the queried market', () => {
  const twins = [priced('B', 0.5), priced('A', 0.5)];
  const over = [market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })];

  test.each<[string, Market[], string | null]>([
    ['is the only one, with or without a price', [unpriced('Will it rain?')], 'Will it rain?'],
    ['is the favourite of several', [priced('A', 0.2), priced('B', 0.5), priced('C', 0.3)], 'B'],
    ['is the first by name of equal favourites', twins, 'A'],
    ['is the first by name in any order', twins.toReversed(), 'A'],
    [
      'is the one with the largest volume if none has a price',
      [unpriced('A'), unpriced('B', { volume: 9_999 })],
      'B',
    ],
    ['is none where nothing is left to trade', over, null],
  ])('%s', (_, markets, name) => {
    expect(queriedMarket(event(markets))?.name ?? null).toBe(name);
  });
});
