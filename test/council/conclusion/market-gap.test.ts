import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../../council/conclusion/conclude.js';
import { marketGap } from '../../../council/conclusion/market-gap.js';
import type { Market } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution } from '../../../council/market/prices.js';
import { councilModels } from '../../../council/models.js';
import { event, market, priced, unanimous, unpriced } from '../fixtures.js';
import { input } from './conclude-input.js';

function gap(markets: readonly Market[], percents: readonly number[], exclusive = true) {
  const set = outcomeSet(event(markets, { exclusive }));
  return marketGap(set, { percents }, impliedDistribution(set));
}

const one = (price: number) => [priced('A', price)];
const three = [priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)];

describe('a gap between council and market', () => {
  test('begins at 8 points', () => {
    expect(gap(one(0.5), [58, 42])).toEqual({ outcome: 'Yes', council: 58, market: 50, points: 8 });
    expect(gap(one(0.5), [57.9, 42.1])).toBeNull();
    expect(gap(one(0.5), [42, 58])).toMatchObject({ outcome: 'Yes', points: 8 });
  });

  test('is the widest one, and of two as wide the first', () => {
    expect(gap(three, [50, 48, 2])).toEqual({ outcome: 'B', council: 48, market: 30, points: 18 });
    expect(gap(three, [50, 40, 10])).toMatchObject({ outcome: 'A', points: 10 });
  });

  test('is the distance that a reader sees between the published percents', () => {
    const found = gap(one(0.505), [60, 40]);
    expect(found).toMatchObject({ council: 60, market: 50.5, points: 9.5 });
  });

  test('needs a market that can be trusted', () => {
    const wide = market({ name: 'A', bestBid: 0.2, bestAsk: 0.8, lastTrade: 0.2 });
    expect(gap([wide], [60, 40])).toBeNull();
    expect(gap([unpriced('A')], [60, 40])).toBeNull();
    // The favourite's price comes from a last trade, so the set as a whole is not firm.
    const stale = market({ name: 'A', bestBid: null, bestAsk: null, lastTrade: 0.6 });
    expect(gap([stale, priced('B', 0.3), priced('C', 0.1)], [30, 60, 10])).toBeNull();
  });

  test('of independent markets counts where the price is firm', () => {
    const stale = market({ name: 'B', bestBid: null, bestAsk: null, lastTrade: 0.1 });
    expect(gap([priced('A', 0.5), stale], [60, 90], false)).toMatchObject({ outcome: 'A', points: 10 });
    expect(gap([stale, unpriced('C')], [90, 90], false)).toBeNull();
  });
});

test('a report names its gap', () => {
  const { runtime } = conclude(
    input({ event: event(one(0.5)), opinions: unanimous(councilModels, { Yes: 60, No: 40 }) }),
  );
  expect(runtime.market_gap).toEqual({ outcome: 'Yes', council: 60, market: 50, points: 10 });
});
