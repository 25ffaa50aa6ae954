import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareWithMarket } from '../../../council/conclusion/conclude.js';
import { conflict, conflictsByOutcome } from '../../../council/conclusion/consensus.js';
import type { MarketEvent } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution, queriedMarket } from '../../../council/market/prices.js';
import { roundTo } from '../../../council/numbers.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const yes = (p: number) => [p, 1 - p];

describe('total variation', () => {
  test('is a conflict from 25 points on', () => {
    expect(conflict(yes(0.8), yes(0.55))).toBe(true);
    expect(conflict(yes(0.8), yes(0.551))).toBe(false);
  });

  test('adds up differences over all outcomes', () => {
    expect(conflict([0.5, 0.05, 0.2, 0.25], [0.5, 0.3, 0.1, 0.1])).toBe(true);
  });
});

describe('favourites', () => {
  test('that the council puts 10 points apart are a conflict, less is not', () => {
    expect(conflict([0.4, 0.3, 0.3], [0.35, 0.4, 0.25])).toBe(true);
    expect(conflict([0.4, 0.301, 0.299], [0.35, 0.4, 0.25])).toBe(false);
  });

  test('within one market point of each other are all favourites', () => {
    expect(conflict([0.4, 0.6], [0.5, 0.5])).toBe(false);
    expect(conflict([0.6, 0.4], [0.5, 0.5])).toBe(false);
    expect(conflict([0.6, 0.4], [0.495, 0.505])).toBe(false);
    expect(conflict([0.6, 0.4], [0.494, 0.506])).toBe(true);
  });
});

test('a council with the market’s own distribution is never in conflict', () => {
  const distribution = fc
    .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 9 })
    .map(list => list.map(x => x / list.reduce((a, b) => a + b, 0)));
  fc.assert(fc.property(distribution, p => !conflict(p, p)));
});

test('swapping YES and NO changes nothing', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      p,
      p,
      (a, b) => conflict(yes(a), yes(b)) === conflict(yes(a).toReversed(), yes(b).toReversed()),
    ),
  );
});

const implied = (...args: Parameters<typeof event>) => impliedDistribution(outcomeSet(event(...args)));

test('an exclusive event is in conflict as a whole or not at all', () => {
  const three = implied([priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)]);
  expect(conflictsByOutcome(true, [0.3, 0.6, 0.1], three)).toEqual([true, true, true]);
  expect(conflictsByOutcome(true, [0.5, 0.4, 0.1], three)).toEqual([false, false, false]);
});

test('a market that is not trustworthy causes no conflict', () => {
  const stale = market({ name: 'A', bestBid: null, lastTrade: 0.7 });
  expect(conflictsByOutcome(true, [0.1, 0.9], implied([stale, priced('B', 0.3)]))).toEqual([false, false]);
  expect(conflictsByOutcome(true, [0.1, 0.9], implied([priced('A', 0.9), priced('B', 0.8)]))).toEqual([
    false,
    false,
  ]);
});

test('an outcome without a price counts as 0 in the comparison', () => {
  const two = implied([priced('A', 0.6), priced('B', 0.4), unpriced('C')]);
  expect(conflictsByOutcome(true, [0.45, 0.3, 0.25], two)).toEqual([true, true, true]);
});

test('independent markets conflict one by one, and only with a firm price', () => {
  const stale = market({ name: 'C', bestBid: null, lastTrade: 0.9 });
  const ladder = implied([priced('A', 0.2), priced('B', 0.5), stale, unpriced('D')], { exclusive: false });
  expect(conflictsByOutcome(false, [0.5, 0.5, 0.1, 0.9], ladder)).toEqual([true, false, false, false]);
});

function compare(of: MarketEvent, fractions: readonly number[], queriedName?: string) {
  const set = outcomeSet(of);
  const queried = set.markets.find(({ name }) => name === queriedName) ?? queriedMarket(of);
  if (queried === null) throw new Error('the event has no market');
  const percents = fractions.map(p => roundTo(p * 100, 1));
  const council = { fractions, percents };
  return compareWithMarket({
    set,
    queried,
    council,
    market: impliedDistribution(set),
    priced: council,
    quoteAgeSeconds: 5,
    degraded: false,
  });
}

describe('an exclusive event', () => {
  const race = event([priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)]);

  test('has the council’s favourite as headline without a conflict', () => {
    expect(compare(race, [0.5, 0.4, 0.1])).toMatchObject({
      conflict: false,
      headline: { outcome: 'A', percent: 50 },
      probability: 50,
    });
  });

  test('has the market’s favourite as headline in conflict, and no bets', () => {
    expect(compare(race, [0.3, 0.6, 0.1])).toMatchObject({
      conflict: true,
      headline: { outcome: 'A', percent: 60 },
      probability: 60,
      topBets: [],
    });
  });

  test('whose prices do not add up has no conflict and no edge', () => {
    const incoherent = event([priced('A', 0.9), priced('B', 0.9), priced('C', 0.1)]);
    const { conflict, topBets } = compare(incoherent, [0.1, 0.1, 0.8]);
    expect(conflict).toBe(false);
    expect(topBets.filter(({ kind }) => kind === 'edge')).toEqual([]);
  });

  test('may have Any other as headline, without a bet', () => {
    const large = event(Array.from({ length: 41 }, (_, i) => unpriced(`R${i + 10}`, { volume: i })));
    const fractions = outcomeSet(large).outcomes.map(({ market }) => (market === null ? 0.61 : 0.01));
    expect(compare(large, fractions)).toMatchObject({
      headline: { outcome: 'Any other', percent: 61 },
      topBets: [],
    });
  });
});

describe('one market', () => {
  test('is picked on the side that the council considers likelier', () => {
    const { topBets, headline } = compare(event([priced('Q', 0.42)]), [0.41, 0.59]);
    expect(headline).toEqual({ outcome: 'No', percent: 59 });
    expect(topBets).toMatchObject([{ kind: 'pick', side: 'BUY_NO', market: 'Q' }]);
  });
});

describe('independent markets', () => {
  const ladder = event([priced('A', 0.8), priced('B', 0.5), priced('C', 0.2)], { exclusive: false });

  test('have the market with the highest YES as headline', () => {
    expect(compare(ladder, [0.75, 0.5, 0.2])).toMatchObject({
      conflict: false,
      headline: { outcome: 'A', percent: 75 },
    });
  });

  test('are in conflict if the queried one is', () => {
    expect(compare(ladder, [0.9, 0.85, 0.2], 'B')).toMatchObject({
      conflict: true,
      headline: { outcome: 'A', percent: 80 },
      probability: 50,
      topBets: [],
    });
  });

  test('are in conflict if the headline market is, and then report the market’s probability', () => {
    expect(compare(ladder, [0.6, 0.55, 0.95], 'B')).toMatchObject({
      conflict: true,
      headline: { outcome: 'A' },
      probability: 50,
    });
  });

  test('in conflict elsewhere have no bet there and leave the rest unchanged', () => {
    const { conflict, topBets } = compare(ladder, [0.88, 0.5, 0.6]);
    expect(conflict).toBe(false);
    expect(topBets.map(bet => bet.market)).toEqual(['A']);
  });

  test('keep the council’s probability of a queried market without a price', () => {
    const some = event([priced('A', 0.2), unpriced('B')], { exclusive: false });
    expect(compare(some, [0.9, 0.4], 'B')).toMatchObject({
      conflict: true,
      headline: { outcome: 'A', percent: 20 },
      probability: 40,
    });
  });
});
