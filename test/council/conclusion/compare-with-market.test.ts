import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compareWithMarket } from '../../../council/conclusion/conclude.js';
import { conflict, conflictsByOutcome } from '../../../council/conclusion/consensus.js';
import type { Market, MarketEvent } from '../../../council/event.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { impliedDistribution, queriedMarket } from '../../../council/market/prices.js';
import { roundTo, scaledToOne } from '../../../council/numbers.js';
import { event, market, priced, unpriced } from '../fixtures.js';

const yes = (p: number) => [p, 1 - p];

describe('a conflict is', () => {
  test.each<[string, council: readonly number[], market: readonly number[], isConflict: boolean]>([
    ['25 points in all', yes(0.8), yes(0.55), true],
    ['not less', yes(0.8), yes(0.551), false],
    ['25 points added up over the outcomes', [0.5, 0.05, 0.2, 0.25], [0.5, 0.3, 0.1, 0.1], true],
    ['favourites that the council puts 10 points apart', [0.4, 0.3, 0.3], [0.35, 0.4, 0.25], true],
    ['not less between favourites', [0.4, 0.301, 0.299], [0.35, 0.4, 0.25], false],
    ['not between two favourites of the market', yes(0.4), yes(0.5), false],
    ['nor between the same two', yes(0.6), yes(0.5), false],
    ['nor if they are within one point of each other', yes(0.6), yes(0.495), false],
    ['but if they are further apart', yes(0.6), yes(0.494), true],
  ])('%s', (_, council, market, isConflict) => {
    expect(conflict(council, market)).toBe(isConflict);
  });

  test('never with the market’s own distribution, and the same with YES and NO swapped', () => {
    const distribution = fc
      .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 9 })
      .map(scaledToOne);
    fc.assert(fc.property(distribution, p => !conflict(p, p)));
    const p = fc.double({ min: 0, max: 1, noNaN: true });
    const no = (share: number) => yes(share).toReversed();
    fc.assert(fc.property(p, p, (a, b) => conflict(yes(a), yes(b)) === conflict(no(a), no(b))));
  });
});

describe('of an exclusive event', () => {
  const stale = market({ name: 'A', bestBid: null, lastTrade: 0.7 });
  const three = [priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)];

  test.each<[string, Market[], council: number[], isConflict: boolean]>([
    ['all outcomes are in conflict', three, [0.3, 0.6, 0.1], true],
    ['none is', three, [0.5, 0.4, 0.1], false],
    ['none is with an old price', [stale, priced('B', 0.3)], [0.1, 0.9], false],
    ['none is with prices that do not add up', [priced('A', 0.9), priced('B', 0.8)], [0.1, 0.9], false],
    [
      'one without a price counts as 0',
      [priced('A', 0.6), priced('B', 0.4), unpriced('C')],
      [0.45, 0.3, 0.25],
      true,
    ],
  ])('%s', (_, markets, council, isConflict) => {
    const implied = impliedDistribution(outcomeSet(event(markets)));
    expect(conflictsByOutcome(true, council, implied)).toEqual(council.map(() => isConflict));
  });
});

test('independent markets conflict one by one, and only with a firm price', () => {
  const stale = market({ name: 'C', bestBid: null, lastTrade: 0.9 });
  const ladder = event([priced('A', 0.2), priced('B', 0.5), stale, unpriced('D')], { exclusive: false });
  const implied = impliedDistribution(outcomeSet(ladder));
  expect(conflictsByOutcome(false, [0.5, 0.5, 0.1, 0.9], implied)).toEqual([true, false, false, false]);
});

function compare(of: MarketEvent, fractions: readonly number[], queriedName?: string) {
  const set = outcomeSet(of);
  const queried = set.markets.find(({ name }) => name === queriedName) ?? queriedMarket(of);
  if (queried === null) throw new Error('the event has no market');
  const council = { fractions, percents: fractions.map(p => roundTo(p * 100, 1)) };
  const rest = { market: impliedDistribution(set), priced: council, quoteAgeSeconds: 5, degraded: false };
  return compareWithMarket({ set, queried, council, ...rest });
}

describe('a comparison', () => {
  const race = event([priced('A', 0.6), priced('B', 0.3), priced('C', 0.1)]);
  const ladder = event([priced('A', 0.8), priced('B', 0.5), priced('C', 0.2)], { exclusive: false });
  const some = event([priced('A', 0.2), unpriced('B')], { exclusive: false });

  test.each<[string, Parameters<typeof compare>, object]>([
    [
      'has the council’s favourite as headline without a conflict',
      [race, [0.5, 0.4, 0.1]],
      { conflict: false, headline: { outcome: 'A', percent: 50 }, probability: 50 },
    ],
    [
      'has the market’s favourite as headline in conflict, and no bets',
      [race, [0.3, 0.6, 0.1]],
      { conflict: true, headline: { outcome: 'A', percent: 60 }, probability: 60, topBets: [] },
    ],
    [
      'picks the side of one market that the council considers likelier',
      [event([priced('Q', 0.42)]), [0.41, 0.59]],
      {
        headline: { outcome: 'No', percent: 59 },
        topBets: [{ kind: 'pick', side: 'BUY_NO', market: 'Q' }],
      },
    ],
    [
      'has the independent market with the highest YES as headline',
      [ladder, [0.75, 0.5, 0.2]],
      { conflict: false, headline: { outcome: 'A', percent: 75 } },
    ],
    [
      'is in conflict if the queried market is',
      [ladder, [0.9, 0.85, 0.2], 'B'],
      { conflict: true, headline: { outcome: 'A', percent: 80 }, probability: 50, topBets: [] },
    ],
    [
      'is in conflict if the headline market is, and then reports the market’s probability',
      [ladder, [0.6, 0.55, 0.95], 'B'],
      { conflict: true, headline: { outcome: 'A' }, probability: 50 },
    ],
    [
      'has no bet on a market that conflicts elsewhere, and leaves the rest unchanged',
      [ladder, [0.88, 0.5, 0.6]],
      { conflict: false, topBets: [{ market: 'A' }] },
    ],
    [
      'keeps the council’s probability of a queried market without a price',
      [some, [0.9, 0.4], 'B'],
      { conflict: true, headline: { outcome: 'A', percent: 20 }, probability: 40 },
    ],
  ])('%s', (_, given, expected) => {
    expect(compare(...given)).toMatchObject(expected);
  });

  test('has neither conflict nor edge with prices that do not add up', () => {
    const incoherent = event([priced('A', 0.9), priced('B', 0.9), priced('C', 0.1)]);
    const { conflict, topBets } = compare(incoherent, [0.1, 0.1, 0.8]);
    expect(conflict).toBe(false);
    expect(topBets.filter(({ kind }) => kind === 'edge')).toEqual([]);
  });

  test('may have Any other as headline, without a bet', () => {
    const large = event(Array.from({ length: 41 }, (_, i) => unpriced(`R${i + 10}`, { volume: i })));
    const fractions = outcomeSet(large).outcomes.map(({ market }) => (market === null ? 0.61 : 0.01));
    const headline = { outcome: 'Any other', percent: 61 };
    expect(compare(large, fractions)).toMatchObject({ headline, topBets: [] });
  });
});
