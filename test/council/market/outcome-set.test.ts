import { describe, expect, test } from '@jest/globals';
import { namedMarkets, outcomeSet } from '../../../council/market/outcome-set.js';
import { event, market } from '../fixtures.js';

const names = (markets: ReturnType<typeof market>[]) => namedMarkets(event(markets)).map(({ name }) => name);

test('markets are ordered by name, independent of prices', () => {
  expect(names([market({ name: 'Zebra' }), market({ name: 'Ant' })])).toEqual(['Ant', 'Zebra']);
});

test('closed markets and placeholders are left out', () => {
  const out = [
    market({ name: 'Out', status: 'closed', resolution: 'no' }),
    market({ name: 'P', placeholder: true }),
  ];
  expect(names([...out, market({ name: 'A' }), market({ name: 'B' })])).toEqual(['A', 'B']);
});

test('the only market of an event counts even if closed', () => {
  expect(names([market({ name: 'Will it rain?', status: 'closed' })])).toEqual(['Will it rain?']);
});

test('names are unique, and none equals Any other', () => {
  const twins = ['1', '2', '3'].map(marketId => market({ name: 'Smith', marketId, slug: 'smith' }));
  expect(names([...twins, market({ name: 'Any other', slug: 'other' })])).toEqual([
    'Any other (other)',
    'Smith',
    'Smith (smith)',
    'Smith (3)',
  ]);
});

test('a market without a name uses its slug', () => {
  expect(names([market({ name: ' ', slug: 'nameless' }), market({ name: 'B' })])).toEqual(['B', 'nameless']);
});

const many = Array.from({ length: 45 }, (_, i) =>
  market({ name: `Runner ${String(i).padStart(2, '0')}`, volume: i }),
);

describe('one market', () => {
  test('has its two sides as exclusive outcomes', () => {
    const match = market({ name: 'Canada or South Africa?', sides: ['Canada', 'South Africa'] });
    const set = outcomeSet(event([match], { exclusive: false }));
    expect(set.exclusive).toBe(true);
    expect(set.outcomes.map(({ name, side }) => [name, side])).toEqual([
      ['Canada', 'yes'],
      ['South Africa', 'no'],
    ]);
    expect(set.markets).toMatchObject([{ name: 'Canada or South Africa?', yesIndex: 0 }]);
  });

  test('with equal or empty sides uses Yes and No', () => {
    for (const [yes = '', no = ''] of [['Same', ' Same'], [''], ['Yes', '\u200b']]) {
      const { outcomes } = outcomeSet(event([market({ name: 'Q', sides: [yes, no] })]));
      expect(outcomes.map(o => o.name)).toEqual(['Yes', 'No']);
    }
  });

  test('left of several is treated in the same way', () => {
    const left = event([market({ name: 'A' }), market({ name: 'B', status: 'closed' })]);
    expect(outcomeSet(left).outcomes.map(o => o.name)).toEqual(['Yes', 'No']);
  });
});

describe('several markets', () => {
  test('of an exclusive event are its outcomes, without eliminated ones', () => {
    const out = market({ name: 'Out', status: 'closed', resolution: 'no' });
    const set = outcomeSet(event([market({ name: 'B' }), market({ name: 'A' }), out]));
    expect(set).toMatchObject({ exclusive: true, leftOut: [] });
    expect(set.outcomes.map(o => o.name)).toEqual(['A', 'B']);
  });

  test('of another event are independent questions', () => {
    const set = outcomeSet(event([market({ name: 'B' }), market({ name: 'A' })], { exclusive: false }));
    expect(set.exclusive).toBe(false);
    expect(set.outcomes.every(o => o.side === 'yes' && o.market?.name === o.name)).toBe(true);
  });

  test('more than forty become the 39 with the largest volume and Any other', () => {
    const set = outcomeSet(event(many));
    expect(set.outcomes).toHaveLength(40);
    expect(set.outcomes.at(0)?.name).toBe('Runner 06');
    expect(set.outcomes.at(-1)).toEqual({ name: 'Any other', market: null, side: 'yes' });
    expect(set.leftOut.map(m => m.name)).toEqual([0, 1, 2, 3, 4, 5].map(n => `Runner 0${n}`));
  });

  test('more than forty independent ones become the forty largest', () => {
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

  test('prices change neither the outcomes nor their order', () => {
    const old = { bestBid: null, lastTrade: 0.5 };
    const repriced = many.map((m, i) => ({ ...m, ...old, bestAsk: (i % 9) / 10 + 0.05 }));
    const names = (markets: typeof many) => outcomeSet(event(markets)).outcomes.map(o => o.name);
    expect(names(repriced)).toEqual(names(many));
  });

  test('none left to trade gives an empty set', () => {
    const over = event([market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })]);
    expect(outcomeSet(over)).toMatchObject({ outcomes: [], markets: [], hasAnyOther: false });
  });
});
