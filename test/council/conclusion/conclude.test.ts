import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConcludeInput, conclude } from '../../../council/conclusion/conclude.js';
import { stakes } from '../../../council/conclusion/stakes.js';
import type { Opinion } from '../../../council/deliberation/stages.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { at } from '../../../council/numbers.js';
import { event, market, opinion, priced, review, unanimous } from '../fixtures.js';
import { input, percents, weights } from './conclude-input.js';

const tenths = (map: Readonly<Record<string, number | null>>) =>
  Object.values(map).reduce<number>((sum, p) => sum + Math.round((p ?? 0) * 10), 0);
const all = (shares: Readonly<Record<string, number>>) => ({ opinions: unanimous(councilModels, shares) });

describe('a whole report', () => {
  const report = conclude(input());
  const { runtime } = report;

  test('carries verdict, probability and confidence for the queried market, its participants and the conclusion', () => {
    expect(report).toMatchObject({
      action: 'SKIP',
      probability: 62,
      confidence: 68,
      queried_market: 'Canada',
      runtime: {
        models: [...councilModels],
        chairman: 'claude',
        degraded: false,
        provider_failures: {},
        most_likely_outcome: 'Canada',
        most_likely_probability: 62,
        most_likely_source: 'council',
        consensus_market_conflict: false,
        market_probabilities: percents,
        market_implied_probabilities: { Canada: 55.8, Draw: 26.6, 'South Africa': 17.6 },
        market_implied_basis: 'normalised',
        market_trustworthy: true,
        exclusive: true,
        prices_at: '2031-04-01T00:00:00Z',
        simulated: true,
        method: { name: 'council/2' },
        estimate: { method: 'estimate/2', weights: { id: 'weights-test' } },
        estimate_missing: null,
      },
    });
    expect(tenths(runtime.market_implied_probabilities)).toBe(1_000);
  });

  test.each(['estimate/1', 'estimate/2'] as const)(
    'names the formula of its weights, %s, as its method',
    kind => {
      const { estimate } = conclude(input({ weights: { ...weights, kind } })).runtime;
      const { kind: _, ...published } = weights;
      expect(estimate).toEqual({ probabilities: expect.anything(), method: kind, weights: published });
    },
  );

  test('prices its bets by the estimate, shows the council’s number beside, and names the first as the best edge', () => {
    const canada = runtime.estimate?.probabilities['Canada'];
    const bet = { market: 'Canada', side: 'BUY_YES', kind: 'pick', share_cost: 0.567392 };
    const prices = { consensus_probability: 62, win_probability: canada };
    expect(runtime.top_bets).toMatchObject([{ ...bet, ...prices }]);
    expect(canada).not.toBe(62);
    expect(runtime.best_edge).toBe(runtime.top_bets[0]);
  });

  test('buys where the estimate, and not only the council, is far enough above the price', () => {
    const coefficients = { ...weights.coefficients, council: 1 };
    expect(conclude(input({ weights: { ...weights, coefficients } }))).toMatchObject({
      action: 'BUY_YES',
      runtime: { best_edge: { kind: 'edge', market: 'Canada' } },
    });
  });
});

test.each([true, false])(
  'sizes its bets by what it publishes (exclusive: %s), and by council/1 not at all',
  exclusive => {
    const cup = event([priced('Ada', 0.5), priced('Bela', 0.3), priced('Chen', 0.2)], { exclusive });
    const certain = { ...weights, coefficients: { ...weights.coefficients, council: 1 } };
    const opinions = all({ Ada: 41, Bela: 41, Chen: 18 });
    const given = input({ event: cup, queriedMarket: 'Ada', weights: certain, ...opinions });
    const { top_bets, best_edge } = conclude(given).runtime;
    const sizes = top_bets.map(bet => bet.stake_fraction ?? 0);
    expect(sizes).toEqual(stakes(top_bets, exclusive));
    expect(Math.max(...sizes)).toBeGreaterThan(0);
    expect(best_edge).toBe(top_bets[0]);

    const before = conclude({ ...given, method: 'council/1' }).runtime;
    expect(before.top_bets.map((bet, index) => ({ ...bet, stake_fraction: sizes[index] }))).toEqual(top_bets);
    expect(before.top_bets[0]).not.toHaveProperty('stake_fraction');
  },
);

test('without a firm price there is no estimate and no bet, and the report names the reason', () => {
  const stale = event([market({ name: 'Canada', bestBid: null, lastTrade: 0.5 }), priced('Draw', 0.5)]);
  const { runtime } = conclude(input({ event: stale, weights: null, ...all({ Canada: 40, Draw: 60 }) }));
  const none = { estimate: null, estimate_missing: 'no_firm_price', top_bets: [], best_edge: null };
  expect(runtime).toMatchObject(none);
});

test('in conflict the headline and the probability are the market’s, the council’s distribution and the estimate stay, and there is no bet', () => {
  const shares = { Canada: 20, Draw: 20, 'South Africa': 60 };
  const report = conclude(input(all(shares)));
  expect(report).toMatchObject({ action: 'SKIP', probability: 55.8, confidence: 34 });
  expect(report.runtime).toMatchObject({
    consensus_market_conflict: true,
    most_likely_outcome: 'Canada',
    most_likely_probability: 55.8,
    most_likely_source: 'market_implied',
    market_probabilities: shares,
    top_bets: [],
    best_edge: null,
  });
  expect(report.runtime.estimate).not.toBeNull();
});

test('independent markets are never normalised', () => {
  const ladder = event([priced('Above 100', 0.8), priced('Above 200', 0.5)], { exclusive: false });
  const opinions = all({ 'Above 100': 85, 'Above 200': 55 });
  expect(conclude(input({ event: ladder, queriedMarket: 'Above 100', ...opinions })).runtime).toMatchObject({
    exclusive: false,
    market_probabilities: { 'Above 100': 85, 'Above 200': 55 },
    market_implied_probabilities: { 'Above 100': 80, 'Above 200': 50 },
    market_implied_basis: 'independent',
  });
});

test('revised forecasts count, and rankings change no number', () => {
  const revised = { Canada: 50, Draw: 30, 'South Africa': 20 };
  const reviewed = (ranking: CouncilModel[]) =>
    conclude(input({ reviews: { grok: review(ranking, revised), gpt: review(['grok'], revised) } }));
  const one = reviewed(['gpt', 'claude', 'gemini']);
  const other = reviewed(['gemini', 'claude', 'gpt']);
  expect(one.runtime.market_probabilities).not.toEqual(percents);
  expect(one.aggregate_ranking).not.toEqual(other.aggregate_ranking);
  expect({ ...one, aggregate_ranking: [] }).toEqual({ ...other, aggregate_ranking: [] });
});

describe('any four answers', () => {
  const percent = fc.integer({ min: 0, max: 1_000 });
  const answer = fc
    .tuple(percent, percent, percent)
    .filter(([a, b, c]) => a + b + c > 0)
    .map(([a, b, c]) => {
      const scale = 100 / (a + b + c);
      const shares = { Canada: a * scale, Draw: b * scale, 'South Africa': c * scale };
      return opinion(shares, { confidence: (a % 100) + 1 });
    });
  const forAny = (check: (given: readonly Opinion[]) => void) =>
    fc.assert(fc.property(fc.tuple(answer, answer, answer, answer), check));
  /** One answer per member, in the council's order. */
  const inputOf = (given: readonly Opinion[]) =>
    input({ opinions: Object.fromEntries(councilModels.map((model, i) => [model, at(given, i)])) });

  test('give every number bit for bit when they are stored and replayed', () => {
    forAny(given => {
      const stored: ConcludeInput = JSON.parse(JSON.stringify(inputOf(given)));
      expect(JSON.stringify(conclude(stored))).toBe(JSON.stringify(conclude(inputOf(given))));
    });
  });

  test('swapped between members give the same probabilities, bets and verdict', () => {
    forAny(given => {
      const { positions: original, ...one } = conclude(inputOf(given));
      const { positions, ...other } = conclude(inputOf(given.toReversed()));
      expect(other).toEqual(one);
      const nameless = (each: typeof original) => each.map(position => ({ ...position, model: null }));
      expect(nameless(positions)).toEqual(nameless(original).toReversed());
    });
  });

  test('give exactly 100.0, bets on one side of a market at most, and the action of the bets', () => {
    forAny(given => {
      const { action, queried_market, runtime } = conclude(inputOf(given));
      expect(tenths(runtime.market_probabilities)).toBe(1_000);
      expect(new Set(runtime.top_bets.map(bet => bet.market)).size).toBe(runtime.top_bets.length);
      expect(runtime.best_edge).toBe(runtime.top_bets[0] ?? null);
      const edge = runtime.top_bets.find(bet => bet.market === queried_market && bet.kind === 'edge');
      expect(action).toBe(edge?.side ?? 'SKIP');
      if (runtime.consensus_market_conflict) expect(runtime.top_bets).toEqual([]);
    });
  });
});

test('the chairman changes no number', () => {
  const { runtime, ...rest } = conclude(input());
  const { runtime: otherRuntime, ...others } = conclude(input({ chairman: 'grok' }));
  expect(others).toEqual(rest);
  expect({ ...otherRuntime, chairman: 'claude', synthesis: runtime.synthesis }).toEqual(runtime);
});

test('forecasts of 0 and 100 % do not make the pool infinite', () => {
  const opinions = {
    ...unanimous(['claude', 'gpt'], { Canada: 100, Draw: 0, 'South Africa': 0 }),
    ...unanimous(['gemini', 'grok'], { Canada: 0, Draw: 100, 'South Africa': 0 }),
  };
  const { runtime } = conclude(input({ opinions }));
  expect(Object.values(runtime.market_probabilities).every(Number.isFinite)).toBe(true);
  expect(tenths(runtime.market_probabilities)).toBe(1_000);
});

test('the verdict is on the queried market, even if it is not the favourite, or the favourite once that has closed', () => {
  const draw = { queried_market: 'Draw', probability: 22, action: 'SKIP' };
  expect(conclude(input({ queriedMarket: 'Draw' }))).toMatchObject(draw);
  expect(conclude(input({ queriedMarket: 'Eliminated' })).queried_market).toBe('Canada');
});

test('an event without a market to trade throws', () => {
  const over = event([market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })]);
  expect(() => conclude(input({ event: over }))).toThrow('without a market to trade');
});

test('Any other can be the headline, and is never bet on', () => {
  const markets = [priced('Ada', 0.3), priced('Bela', 0.3), priced('Other', 0.3, { other: true })];
  const opinions = all({ Ada: 35, Bela: 10, 'Any other': 55 });
  const open = input({ event: event(markets, { canGrow: true }), queriedMarket: 'Ada', ...opinions });
  const { runtime, queried_market: queried } = conclude(open);
  expect(queried).toBe('Ada');
  expect(runtime.most_likely_outcome).toBe('Any other');
  expect(runtime.market_implied_probabilities).toEqual({ Ada: 30, Bela: 30, 'Any other': 40 });
  expect(runtime.top_bets.every(bet => bet.market === 'Ada' || bet.market === 'Bela')).toBe(true);
});

test('a ladder is monotone in the consensus and in the estimate', () => {
  const rungs = [60, 70, 80].map(n =>
    priced(`Above ${n}`, n === 70 ? 0.2 : 0.5, { question: `Above ${n}?` }),
  );
  const opinions = all({ 'Above 60': 50, 'Above 70': 70, 'Above 80': 30 });
  const given = input({ event: event(rungs, { exclusive: false }), queriedMarket: 'Above 60', ...opinions });
  const { market_probabilities: council, estimate } = conclude(given).runtime;
  expect(Object.values(council)).toEqual([60, 60, 30]);
  const estimated = Object.values(estimate?.probabilities ?? {}).map(p => p ?? Number.NaN);
  expect(estimated).toEqual([...estimated].sort((a, b) => b - a));
  expect(estimated).toHaveLength(3);
});
