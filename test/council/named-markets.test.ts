import { expect, test } from '@jest/globals';
import { namedMarkets } from '../../council/named-markets.js';
import { event, market } from './fixtures.js';

const names = (markets: ReturnType<typeof market>[]) => namedMarkets(event(markets)).map(({ name }) => name);

test('markets are ordered by name, whatever order the prices had put them in', () => {
  expect(names([market({ name: 'Zebra' }), market({ name: 'Ant' })])).toEqual(['Ant', 'Zebra']);
});

test('closed markets and placeholders are not asked about', () => {
  const out = [
    market({ name: 'Out', status: 'closed', resolution: 'no' }),
    market({ name: 'P', placeholder: true }),
  ];
  expect(names([...out, market({ name: 'A' }), market({ name: 'B' })])).toEqual(['A', 'B']);
});

test('the only market of an event is named even when it has closed', () => {
  expect(names([market({ name: 'Will it rain?', status: 'closed' })])).toEqual(['Will it rain?']);
});

test('no two names are alike, and none is that of the rest', () => {
  const twins = ['1', '2', '3'].map(marketId => market({ name: 'Smith', marketId, slug: 'smith' }));
  expect(names([...twins, market({ name: 'Any other', slug: 'other' })])).toEqual([
    'Any other (other)',
    'Smith',
    'Smith (smith)',
    'Smith (3)',
  ]);
});

test('a market without a name goes by its slug', () => {
  expect(names([market({ name: ' ', slug: 'nameless' }), market({ name: 'B' })])).toEqual(['B', 'nameless']);
});
