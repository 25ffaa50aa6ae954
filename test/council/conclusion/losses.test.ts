import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConcludeInput, conclude } from '../../../council/conclusion/conclude.js';
import { type Dropout, hasQuorum } from '../../../council/deliberation/members.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { roundDistribution } from '../../../council/numbers.js';
import { event, opinion, priced, review, unanimous, unpriced } from '../fixtures.js';
import { input, percents } from './conclude-input.js';

const stageNames = { opinions: 'opinions', cross_review: 'cross-review' } as const;
type MemberStage = keyof typeof stageNames;

/** The same forecast and 60 % own confidence from all: by the number of members lost, at the opinions and the review. */
const confidences = { opinions: [68, 23.4, 9.9], cross_review: [68, 34, 34, 34, 34] };
const subsets = Array.from({ length: 16 }, (_, bits) =>
  councilModels.filter((_, i) => (bits & (1 << i)) !== 0),
);

/** A report with these models lost at this stage and answers from all others. */
function lostAt(stage: MemberStage, lost: readonly CouncilModel[]): ConcludeInput {
  const healthy = councilModels.filter(model => !lost.includes(model));
  return input({
    opinions: unanimous(stage === 'opinions' ? healthy : councilModels, percents),
    reviews: Object.fromEntries(healthy.map(model => [model, review([], percents)])),
    dropouts: lost.map(model => ({ model, stage, kind: 'timed_out', waitedSeconds: 30 })),
    chairman: healthy[0] ?? 'claude',
  });
}

describe.each(['opinions', 'cross_review'] as const)('models lost at %s', stage => {
  test.each(subsets.map(lost => [lost.join(' and ') || 'no model', lost] as const))('%s', (_, lost) => {
    const given = lostAt(stage, lost);
    if (!hasQuorum(Object.keys(given.opinions))) {
      expect(() => conclude(given)).toThrow('no conclusion without a quorum');
      return;
    }
    const { runtime, confidence } = conclude(given);
    const failure = `timed out after 30 s at ${stageNames[stage]}`;
    expect(runtime.models).toEqual(councilModels.filter(model => model in given.opinions));
    expect(runtime.degraded).toBe(lost.length > 0);
    expect(runtime.provider_failures).toEqual(Object.fromEntries(lost.map(model => [model, failure])));
    expect(runtime.market_probabilities).toEqual(percents);
    expect(confidence).toBe(confidences[stage][lost.length]);
  });
});

test('a degraded council needs 8 points for an edge: the worked example becomes a pick', () => {
  const { action, runtime } = conclude(lostAt('opinions', ['grok']));
  expect(action).toBe('SKIP');
  expect(runtime.top_bets).toMatchObject([{ kind: 'pick', market: 'Canada' }]);
});

test('a model without an answer and without a dropout counts as lost', () => {
  expect(conclude(input({ opinions: unanimous(['gpt', 'grok'], percents) })).runtime.degraded).toBe(true);
});

const names = ['Alpha', 'Beta', 'Gamma'] as const;

/** Forecasts that lie together or far apart, so that outliers, conflicts and ties are common. */
const weightsOfThree = fc
  .array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 })
  .map(([a = 0, b = 0, c = 0]) => [a * a, b * b, c * c + 1]);
const own = fc.integer({ min: 0, max: 100 });

const run = fc.record({
  exclusive: fc.boolean(),
  prices: fc.constantFrom<(number[] | null)[]>(
    [0.34, 0.33, 0.33],
    [0.8, 0.1, 0.1],
    [0.05, 0.05, 0.9],
    [0.5, 0.45, 0.05],
    null,
  ),
  members: fc.array(
    fc.record({ first: weightsOfThree, final: weightsOfThree, firstOwn: own, finalOwn: own }),
    { minLength: 4, maxLength: 4 },
  ),
});

type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

/** How each member was lost; null if it was not. A member lost at the opinions has no review either. */
type Losses = readonly (MemberStage | null)[];

const hasEnough = (lost: Losses) => lost.filter(each => each === 'opinions').length <= 2;
const losses: fc.Arbitrary<Losses> = fc
  .array(fc.constantFrom<MemberStage | null>('opinions', 'cross_review', null), {
    minLength: 4,
    maxLength: 4,
  })
  .filter(hasEnough);

function confidenceOf({ exclusive, prices, members }: Run, lost: Losses): number {
  const toPercents = (weights: readonly number[]) => {
    const shares = exclusive ? roundDistribution(weights) : weights.map(each => Math.min(100, each / 4));
    return Object.fromEntries(names.map((name, i) => [name, shares[i] ?? 0]));
  };
  const answered = councilModels.map((model, i) => ({ model, loss: lost[i], ...members[i] }));
  const markets = names.map((name, i) => (prices === null ? unpriced(name) : priced(name, prices[i] ?? 0)));
  const opinions = answered.flatMap(({ model, loss, first = [], firstOwn = 0 }) =>
    loss === 'opinions' ? [] : [[model, opinion(toPercents(first), { confidence: firstOwn })]],
  );
  const reviews = answered.flatMap(({ model, loss, final = [], finalOwn = 0 }) =>
    loss === null ? [[model, review([], toPercents(final), { revisedConfidence: finalOwn })]] : [],
  );
  const given = input({
    event: event(markets, { exclusive }),
    queriedMarket: 'Alpha',
    opinions: Object.fromEntries(opinions),
    reviews: Object.fromEntries(reviews),
    dropouts: answered.flatMap(({ model, loss }) =>
      loss ? [{ model, stage: loss, kind: 'refused' as const }] : [],
    ),
  });
  return conclude(given).confidence;
}

/** Loses one member more, at either stage, in every way that leaves a quorum. */
function furtherLosses(lost: Losses): Losses[] {
  const further = lost.flatMap((loss, i) =>
    (['opinions', 'cross_review'] as const)
      .filter(stage => loss === null || (loss === 'cross_review' && stage === 'opinions'))
      .map(stage => lost.with(i, stage)),
  );
  return further.filter(hasEnough);
}

test('the loss of a member, at the opinions or at the cross-review, never raises the confidence', () => {
  fc.assert(
    fc.property(run, losses, (given, lost) => {
      const confidence = confidenceOf(given, lost);
      for (const further of furtherLosses(lost)) {
        expect(confidenceOf(given, further)).toBeLessThanOrEqual(confidence);
      }
    }),
    { numRuns: 300, seed: 20 },
  );
});

test('the loss of the outlier lowers the confidence', () => {
  const three = { first: [70, 20, 10], final: [70, 20, 10], firstOwn: 70, finalOwn: 70 };
  const outlier = { first: [10, 20, 70], final: [10, 20, 70], firstOwn: 10, finalOwn: 10 };
  const given: Run = { exclusive: true, prices: [0.7, 0.2, 0.1], members: [three, three, three, outlier] };
  const whole = confidenceOf(given, [null, null, null, null]);
  expect(confidenceOf(given, [null, null, null, 'opinions'])).toBeLessThan(whole);
  expect(confidenceOf(given, [null, null, null, 'cross_review'])).toBeLessThan(whole);
});

test('the loss of a chairman changes no number and no verdict, and is named with the synthesis', () => {
  const dropouts: Dropout[] = [
    { model: 'claude', stage: 'synthesis', kind: 'timed_out', waitedSeconds: 10 },
    { model: 'gpt', stage: 'synthesis', kind: 'invalid_answer', truncated: true },
  ];
  const { runtime, ...rest } = conclude(input({ chairman: 'gemini', dropouts }));
  const whole = conclude(input({ chairman: 'gemini' }));
  const replaced = [
    { model: 'claude', reason: 'timed out after 10 s' },
    { model: 'gpt', reason: 'gave an answer that was cut off at its length limit' },
  ];
  expect({ ...rest, runtime: { ...runtime, synthesis: whole.runtime.synthesis } }).toEqual(whole);
  expect(runtime.synthesis).toEqual({ chairman: 'gemini', replaced });
  const unreplaced = { chairman: 'gemini', replaced: [] };
  expect(whole.runtime).toMatchObject({ degraded: false, provider_failures: {}, synthesis: unreplaced });
});
