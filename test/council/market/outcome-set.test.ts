import { describe, expect, test } from '@jest/globals';
import { namedMarkets, outcomeSet } from '../../../council/market/outcome-set.js';
import { event, market } from '../fixtures.js';

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

const many = Array.from({ length: 45 }, (_, i) =>
  market({ name: `Runner ${String(i).padStart(2, '0')}`, volume: i }),
);

describe('one market', () => {
  test('is asked about by the names of its two sides, which exclude each other', () => {
    const match = event([market({ name: 'Canada or South Africa?', sides: ['Canada', 'South Africa'] })], {
      exclusive: false,
    });
    const set = outcomeSet(match);
    expect(set.exclusive).toBe(true);
    expect(set.outcomes.map(({ name, side }) => [name, side])).toEqual([
      ['Canada', 'yes'],
      ['South Africa', 'no'],
    ]);
    expect(set.markets).toMatchObject([{ name: 'Canada or South Africa?', yesIndex: 0 }]);
  });

  test('with sides that cannot be told apart is asked about as Yes and No', () => {
    for (const sides of [
      ['Same', ' Same'],
      ['', 'No'],
      ['Yes', '\u200b'],
    ] as const) {
      expect(outcomeSet(event([market({ name: 'Q', sides })])).outcomes.map(o => o.name)).toEqual([
        'Yes',
        'No',
      ]);
    }
  });

  test('left of several is asked about in the same way', () => {
    const left = event([market({ name: 'A' }), market({ name: 'B', status: 'closed' })]);
    expect(outcomeSet(left).outcomes.map(o => o.name)).toEqual(['Yes', 'No']);
  });
});

describe('several markets', () => {
  test('of an exclusive event are its outcomes; eliminated ones are left out', () => {
    const set = outcomeSet(
      event([
        market({ name: 'B' }),
        market({ name: 'A' }),
        market({ name: 'Out', status: 'closed', resolution: 'no' }),
      ]),
    );
    expect(set).toMatchObject({ exclusive: true, leftOut: [] });
    expect(set.outcomes.map(o => o.name)).toEqual(['A', 'B']);
  });

  test('of another event are questions of their own', () => {
    const set = outcomeSet(event([market({ name: 'B' }), market({ name: 'A' })], { exclusive: false }));
    expect(set.exclusive).toBe(false);
    expect(set.outcomes.every(o => o.side === 'yes' && o.market?.name === o.name)).toBe(true);
  });

  test('exactly forty are all asked about', () => {
    expect(outcomeSet(event(many.slice(0, 40))).outcomes).toHaveLength(40);
  });

  test('more than forty become the 39 of the largest volume and the rest', () => {
    const set = outcomeSet(event(many));
    expect(set.outcomes).toHaveLength(40);
    expect(set.outcomes.at(0)?.name).toBe('Runner 06');
    expect(set.outcomes.at(-1)).toEqual({ name: 'Any other', market: null, side: 'yes' });
    expect(set.leftOut.map(m => m.name)).toEqual([
      'Runner 00',
      'Runner 01',
      'Runner 02',
      'Runner 03',
      'Runner 04',
      'Runner 05',
    ]);
  });

  test('more than forty independent ones become the forty largest, for they have no rest', () => {
    const set = outcomeSet(event(many, { exclusive: false }));
    expect(set.outcomes).toHaveLength(40);
    expect(set.outcomes.at(0)?.name).toBe('Runner 05');
    expect(set.outcomes.every(o => o.market !== null)).toBe(true);
  });

  test('of equal volume are chosen by name', () => {
    const equal = many.map(m => ({ ...m, volume: 1 }));
    expect(outcomeSet(event(equal.toReversed())).leftOut.map(m => m.name)).toEqual(
      ['39', '40', '41', '42', '43', '44'].map(n => `Runner ${n}`),
    );
  });

  test('prices change nothing about what is asked, nor in which order', () => {
    const repriced = many.map((m, i) => ({
      ...m,
      bestBid: null,
      bestAsk: (i % 9) / 10 + 0.05,
      lastTrade: 0.5,
    }));
    const names = (markets: typeof many) => outcomeSet(event(markets)).outcomes.map(o => o.name);
    expect(names(repriced)).toEqual(names(many));
  });

  test('none left to trade leaves nothing to ask about', () => {
    const over = event([market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })]);
    expect(outcomeSet(over)).toEqual({ exclusive: true, outcomes: [], markets: [], leftOut: [] });
  });
});
