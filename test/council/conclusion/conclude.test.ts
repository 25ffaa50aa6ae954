import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConcludeInput, conclude } from '../../../council/conclusion/conclude.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { event, market, opinion, priced, review, unanimous } from '../fixtures.js';
import { input, percents } from './conclude-input.js';

const tenths = (map: Readonly<Record<string, number | null>>) =>
  Object.values(map).reduce<number>((sum, p) => sum + Math.round((p ?? 0) * 10), 0);

describe('a whole report', () => {
  const { runtime, ...verdict } = conclude(input());

  test('carries verdict, probability and confidence for the queried market', () => {
    expect(verdict).toMatchObject({
      action: 'SKIP',
      probability: 62,
      confidence: 68,
      queried_market: 'Canada',
    });
  });

  test('names the participants and the conclusion', () => {
    expect(runtime).toMatchObject({
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
      method: { name: 'council/1' },
    });
  });

  test('names the worked example’s bet, and its first bet as the best edge', () => {
    expect(runtime.top_bets).toMatchObject([
      {
        market: 'Canada',
        side: 'BUY_YES',
        kind: 'pick',
        share_cost: 0.567392,
      },
    ]);
    expect(runtime.best_edge).toBe(runtime.top_bets[0]);
  });

  test('publishes distributions that add up to exactly 100', () => {
    expect(tenths(runtime.market_probabilities)).toBe(1_000);
    expect(tenths(runtime.market_implied_probabilities)).toBe(1_000);
  });
});

describe('in conflict with the market', () => {
  const report = conclude(
    input({ opinions: unanimous(councilModels, { Canada: 20, Draw: 20, 'South Africa': 60 }) }),
  );

  test('headline and probability are the market’s, there are no bets, and the action is SKIP', () => {
    expect(report).toMatchObject({ action: 'SKIP', probability: 55.8 });
    expect(report.runtime).toMatchObject({
      consensus_market_conflict: true,
      most_likely_outcome: 'Canada',
      most_likely_probability: 55.8,
      most_likely_source: 'market_implied',
      top_bets: [],
      best_edge: null,
    });
  });

  test('the council’s distribution stays published, and confidence is halved', () => {
    expect(report.runtime.market_probabilities).toEqual({ Canada: 20, Draw: 20, 'South Africa': 60 });
    expect(report.confidence).toBe(34);
  });
});

test('independent markets are never normalised', () => {
  const ladder = event([priced('Above 100', 0.8), priced('Above 200', 0.5)], { exclusive: false });
  const { runtime } = conclude(
    input({
      event: ladder,
      queriedMarket: 'Above 100',
      opinions: unanimous(councilModels, { 'Above 100': 85, 'Above 200': 55 }),
    }),
  );
  expect(runtime).toMatchObject({
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

/** One answer per member, in the council's order. */
const asRecord = (given: readonly ReturnType<typeof opinion>[]) =>
  Object.fromEntries(councilModels.map((model, i) => [model, given[i] ?? opinion(percents)]));

describe('a replay', () => {
  const percent = fc.integer({ min: 0, max: 1_000 });
  const answer = fc
    .tuple(percent, percent, percent)
    .filter(([a, b, c]) => a + b + c > 0)
    .map(([a, b, c]) => {
      const scale = 100 / (a + b + c);
      return opinion(
        { Canada: a * scale, Draw: b * scale, 'South Africa': c * scale },
        { confidence: (a % 100) + 1 },
      );
    });
  const answers = fc.tuple(answer, answer, answer, answer);
  test('of the stored input gives every number bit for bit', () => {
    fc.assert(
      fc.property(answers, given => {
        const first = input({ opinions: asRecord(given) });
        const stored: ConcludeInput = JSON.parse(JSON.stringify(first));
        expect(JSON.stringify(conclude(stored))).toBe(JSON.stringify(conclude(first)));
      }),
    );
  });

  test('with answers swapped between members gives the same probabilities, bets and verdict', () => {
    fc.assert(
      fc.property(answers, given => {
        const { positions: original, ...one } = conclude(input({ opinions: asRecord(given) }));
        const { positions, ...other } = conclude(input({ opinions: asRecord(given.toReversed()) }));
        expect(other).toEqual(one);
        const nameless = (each: typeof original) => each.map(position => ({ ...position, model: null }));
        expect(nameless(positions)).toEqual(nameless(original).toReversed());
      }),
    );
  });

  test('adds up to exactly 100.0, bets on one side of a market at most, and matches its action', () => {
    fc.assert(
      fc.property(answers, given => {
        const { action, queried_market, runtime } = conclude(input({ opinions: asRecord(given) }));
        expect(tenths(runtime.market_probabilities)).toBe(1_000);
        expect(new Set(runtime.top_bets.map(bet => bet.market)).size).toBe(runtime.top_bets.length);
        expect(runtime.best_edge).toBe(runtime.top_bets[0] ?? null);
        const edge = runtime.top_bets.find(bet => bet.market === queried_market && bet.kind === 'edge');
        expect(action).toBe(edge?.side ?? 'SKIP');
        if (runtime.consensus_market_conflict) expect(runtime.top_bets).toEqual([]);
      }),
    );
  });
});

test('the chairman changes no number', () => {
  const { runtime, ...rest } = conclude(input());
  const { runtime: otherRuntime, ...others } = conclude(input({ chairman: 'grok' }));
  expect(others).toEqual(rest);
  const { synthesis } = runtime;
  expect({ ...otherRuntime, chairman: 'claude', synthesis }).toEqual(runtime);
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

test('the verdict is on the queried market, even if it is not the favourite', () => {
  expect(conclude(input({ queriedMarket: 'Draw' }))).toMatchObject({
    queried_market: 'Draw',
    probability: 22,
    action: 'SKIP',
  });
});

test('a queried market that has closed is replaced by the snapshot’s favourite', () => {
  expect(conclude(input({ queriedMarket: 'Eliminated' })).queried_market).toBe('Canada');
});

test('an event without a market to trade throws', () => {
  const over = event([market({ name: 'A', status: 'closed' }), market({ name: 'B', status: 'closed' })]);
  expect(() => conclude(input({ event: over }))).toThrow('without a market to trade');
});

test('Any other can be the headline, and is never bet on', () => {
  const open = event([priced('Ada', 0.3), priced('Bela', 0.3), priced('Other', 0.3, { other: true })], {
    canGrow: true,
  });
  const opinions = unanimous(councilModels, { Ada: 35, Bela: 10, 'Any other': 55 });
  const { runtime, queried_market: queried } = conclude(
    input({ event: open, opinions, queriedMarket: 'Ada' }),
  );
  expect(queried).toBe('Ada');
  expect(runtime.most_likely_outcome).toBe('Any other');
  expect(runtime.market_implied_probabilities).toEqual({ Ada: 30, Bela: 30, 'Any other': 40 });
  expect(runtime.top_bets.every(bet => bet.market === 'Ada' || bet.market === 'Bela')).toBe(true);
});

test('a ladder is monotone in the consensus and in the estimate', () => {
  const rungs = [60, 70, 80].map(n =>
    priced(`Above ${n}`, n === 70 ? 0.2 : 0.5, { question: `Above ${n}?` }),
  );
  const opinions = unanimous(councilModels, { 'Above 60': 50, 'Above 70': 70, 'Above 80': 30 });
  const given = input({ event: event(rungs, { exclusive: false }), opinions, queriedMarket: 'Above 60' });
  const { market_probabilities: council, estimate } = conclude(given).runtime;
  expect(Object.values(council)).toEqual([60, 60, 30]);
  const [first = 0, second = 0, third = 0] = Object.values(estimate?.probabilities ?? {});
  expect(first).toBeGreaterThanOrEqual(second ?? 0);
  expect(second).toBeGreaterThanOrEqual(third ?? 0);
});
