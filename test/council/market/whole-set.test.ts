import { describe, expect, test } from '@jest/globals';
import type { Market, MarketEvent } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution } from '../../../council/market/prices.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const set = (...given: Parameters<typeof event>) => outcomeSet(event(...given));
const names = (...given: Parameters<typeof event>) => set(...given).outcomes.map(({ name }) => name);
const two = [market({ name: 'A' }), market({ name: 'B' })];
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => market({ name: `R${i + 10}`, volume: 100 - i }));

describe('an exclusive set has Any other if something else may win:', () => {
  const placeholder = market({ name: 'Person C', placeholder: true });
  const slot = market({ name: 'Other', other: true });
  const closed = market({ name: 'C', status: 'closed' });
  const all = ['A', 'B'];
  const open = [...all, 'Any other'];

  test.each<[string, Market[], Partial<MarketEvent>, string[]]>([
    ['not if all outcomes are listed', two, {}, all],
    ['not because of one that has lost', [...two, { ...closed, resolution: 'no' }], {}, all],
    ['if it can grow', two, { canGrow: true }, open],
    ['for a slot without a name yet', [...two, placeholder], {}, open],
    ['for the slot of any other', [...two, slot], {}, open],
    ['for a market that is closed without a result', [...two, closed], {}, open],
    ['for a market that is disputed', [...two, { ...closed, resolution: 'disputed' }], {}, open],
    ['not beside the two sides of the only one left', two.slice(0, 1), { canGrow: true }, ['Yes', 'No']],
    ['never among independent markets', two, { canGrow: true, exclusive: false }, all],
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
    const given = set([...two, slot]);
    expect(given.markets.map(({ name }) => name)).toEqual(all);
    expect(given.leftOut.map(({ name }) => name)).toEqual(['Other']);
  });
});

describe('the price of Any other is what the listed prices leave of 1', () => {
  const stale = (name: string, lastTrade: number) => market({ name, bestBid: null, lastTrade });
  const other = (price: number) => priced('Other', price, { other: true });
  const implied = (markets: Market[]) => impliedDistribution(set(markets, { canGrow: true }));

  const all3 = [null, null, null];
  const outside = 'sum_out_of_range';

  test.each<[string, Market[], string, (number | null)[]]>([
    ['0.95', [priced('A', 0.6), priced('B', 0.35)], 'normalised', [60, 35, 5]],
    ['more than 1', [priced('A', 0.6), priced('B', 0.45)], 'normalised', [57.1, 42.9, 0]],
    ['1.11', [priced('A', 0.6), priced('B', 0.51)], outside, all3],
    ['0.7 in tight books', [priced('A', 0.5), priced('B', 0.2)], 'normalised', [50, 20, 30]],
    ['0.7 with an old trade', [stale('A', 0.5), priced('B', 0.2)], outside, all3],
    [
      '0.7 with an old trade, and 0.25 for the rest',
      [stale('A', 0.5), priced('B', 0.2), other(0.25)],
      'normalised',
      [50, 20, 30],
    ],
    ['0.9, and 0.3 for the rest', [priced('A', 0.6), priced('B', 0.3), other(0.3)], outside, all3],
    [
      '0.9 without the price of one',
      [priced('A', 0.6), priced('B', 0.3), unpriced('C')],
      'normalised',
      [66.7, 33.3, null, null],
    ],
    [
      '0.7 without the price of one',
      [priced('A', 0.5), priced('B', 0.2), unpriced('C')],
      outside,
      [...all3, null],
    ],
    ['nothing', [unpriced('A'), unpriced('B')], 'no_price', all3],
  ])('of %s', (_, markets, basis, percents) => {
    expect(implied(markets)).toMatchObject({ basis, percents });
  });

  test('so it can be the market’s favourite, which then overrules nothing', () => {
    const open = implied([priced('A', 0.2), priced('B', 0.1)]);
    expect(open).toMatchObject({ favourite: { index: 2, percent: 70 }, trustworthy: false });
  });
});
