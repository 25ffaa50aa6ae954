import { describe, expect, test } from '@jest/globals';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution } from '../../../council/market/prices.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const set = (...given: Parameters<typeof event>) => outcomeSet(event(...given));
const names = (...given: Parameters<typeof event>) => set(...given).outcomes.map(({ name }) => name);
const two = [market({ name: 'A' }), market({ name: 'B' })];
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => market({ name: `R${i + 10}`, volume: 100 - i }));

describe('an exclusive set has Any other if something else may win:', () => {
  test.each([
    ['not if all outcomes are listed', two, {}, ['A', 'B']],
    [
      'not because of one that has lost',
      [...two, market({ name: 'L', status: 'closed', resolution: 'no' })],
      {},
      ['A', 'B'],
    ],
    ['if it can grow', two, { canGrow: true }, ['A', 'B', 'Any other']],
    [
      'for a slot without a name yet',
      [...two, market({ name: 'Person C', placeholder: true })],
      {},
      ['A', 'B', 'Any other'],
    ],
    [
      'for the slot of any other',
      [...two, market({ name: 'Other', other: true })],
      {},
      ['A', 'B', 'Any other'],
    ],
    [
      'for a market that is closed without a result',
      [...two, market({ name: 'C', status: 'closed' })],
      {},
      ['A', 'B', 'Any other'],
    ],
    [
      'for a market that is disputed',
      [...two, market({ name: 'C', status: 'closed', resolution: 'disputed' })],
      {},
      ['A', 'B', 'Any other'],
    ],
    ['not beside the two sides of the only one left', two.slice(0, 1), { canGrow: true }, ['Yes', 'No']],
    ['never among independent markets', two, { canGrow: true, exclusive: false }, ['A', 'B']],
  ])('%s', (_, markets, more, expected) => {
    expect(names(markets, more)).toEqual(expected);
  });

  test('forty outcomes are listed, or 39 and Any other', () => {
    expect(names(many(40))).toHaveLength(40);
    expect(names(many(40))).not.toContain('Any other');
    for (const cut of [set(many(41)), set(many(40), { canGrow: true })]) {
      expect(cut.outcomes).toHaveLength(40);
      expect(cut.outcomes.at(-1)?.name).toBe('Any other');
      expect(cut.leftOut.length).toBeGreaterThan(0);
    }
  });

  test('of which no market can be bought', () => {
    const open = set([...two, market({ name: 'Other', other: true })]);
    expect(open.markets.map(({ name }) => name)).toEqual(['A', 'B']);
    expect(open.leftOut.map(({ name }) => name)).toEqual(['Other']);
  });
});

describe('the price of Any other is what the listed prices leave of 1', () => {
  const stale = (name: string, lastTrade: number) => market({ name, bestBid: null, lastTrade });
  const other = (price: number) => priced('Other', price, { other: true });
  const implied = (...markets: Parameters<typeof event>[0][]) =>
    impliedDistribution(set(markets.flat(), { canGrow: true }));

  test.each([
    ['0.95', [priced('A', 0.6), priced('B', 0.35)], 'normalised', [60, 35, 5]],
    ['more than 1', [priced('A', 0.6), priced('B', 0.45)], 'normalised', [57.1, 42.9, 0]],
    ['1.11', [priced('A', 0.6), priced('B', 0.51)], 'sum_out_of_range', [null, null, null]],
    ['0.7 in tight books', [priced('A', 0.5), priced('B', 0.2)], 'normalised', [50, 20, 30]],
    ['0.7 with an old trade', [stale('A', 0.5), priced('B', 0.2)], 'sum_out_of_range', [null, null, null]],
    [
      '0.7 with an old trade, and 0.25 for the rest',
      [stale('A', 0.5), priced('B', 0.2), other(0.25)],
      'normalised',
      [50, 20, 30],
    ],
    [
      '0.9, and 0.3 for the rest',
      [priced('A', 0.6), priced('B', 0.3), other(0.3)],
      'sum_out_of_range',
      [null, null, null],
    ],
    [
      '0.9 without the price of one',
      [priced('A', 0.6), priced('B', 0.3), unpriced('C')],
      'normalised',
      [66.7, 33.3, null, null],
    ],
    [
      '0.7 without the price of one',
      [priced('A', 0.5), priced('B', 0.2), unpriced('C')],
      'sum_out_of_range',
      [null, null, null, null],
    ],
    ['nothing', [unpriced('A'), unpriced('B')], 'no_price', [null, null, null]],
  ])('of %s', (_, markets, basis, percents) => {
    expect(implied(markets)).toMatchObject({ basis, percents });
  });

  test('so it can be the market’s favourite, which then overrules nothing', () => {
    const open = implied([priced('A', 0.2), priced('B', 0.1)]);
    expect(open).toMatchObject({ favourite: { index: 2, percent: 70 }, trustworthy: false });
  });
});
