import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConcludeInput, conclude } from '../../../council/conclusion/conclude.js';
import type { Dropout } from '../../../council/deliberation/members.js';
import { councilModels } from '../../../council/models.js';
import { roundDistribution } from '../../../council/numbers.js';
import { event, opinion, priced, review, unpriced } from '../fixtures.js';
import { input } from './conclude-input.js';

const names = ['Alpha', 'Beta', 'Gamma'] as const;

/** Forecasts that lie together or far apart, so that outliers, conflicts and ties are common. */
const percents = fc
  .array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 })
  .map(([a = 0, b = 0, c = 0]) => [a * a, b * b, c * c + 1]);
const own = fc.integer({ min: 0, max: 100 });
const member = fc.record({ first: percents, final: percents, firstOwn: own, finalOwn: own });

const run = fc.record({
  exclusive: fc.boolean(),
  prices: fc.constantFrom<(number[] | null)[]>(
    [0.34, 0.33, 0.33],
    [0.8, 0.1, 0.1],
    [0.05, 0.05, 0.9],
    [0.5, 0.45, 0.05],
    null,
  ),
  members: fc.array(member, { minLength: 4, maxLength: 4 }),
});

type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

/** How a member was lost; null if it was not. */
type Loss = 'opinions' | 'cross_review' | null;

const losses = fc
  .array(fc.constantFrom<Loss>('opinions', 'cross_review', null), { minLength: 4, maxLength: 4 })
  .filter(lost => lost.filter(each => each === 'opinions').length <= 2);

/** A member lost at the opinions has no review either. */
function runWith({ exclusive, prices, members }: Run, lost: readonly Loss[]): ConcludeInput {
  const toPercents = (weights: readonly number[]) => {
    const shares = exclusive ? roundDistribution(weights) : weights.map(each => Math.min(100, each / 4));
    return Object.fromEntries(names.map((name, i) => [name, shares[i] ?? 0]));
  };
  const at = (index: number) => members[index] ?? { first: [], final: [], firstOwn: 0, finalOwn: 0 };
  const dropouts = councilModels.flatMap((model, i): Dropout[] => {
    const stage = lost[i] ?? null;
    return stage === null ? [] : [{ model, stage, kind: 'refused' }];
  });
  return input({
    event: event(
      names.map((name, i) => (prices === null ? unpriced(name) : priced(name, prices[i] ?? 0))),
      { exclusive },
    ),
    queriedMarket: 'Alpha',
    opinions: Object.fromEntries(
      councilModels.flatMap((model, i) =>
        lost[i] === 'opinions'
          ? []
          : [[model, opinion(toPercents(at(i).first), { confidence: at(i).firstOwn })]],
      ),
    ),
    reviews: Object.fromEntries(
      councilModels.flatMap((model, i) =>
        lost[i] === null
          ? [[model, review([], toPercents(at(i).final), { revisedConfidence: at(i).finalOwn })]]
          : [],
      ),
    ),
    dropouts,
  });
}

/** Loses one member more, at either stage, in every way that leaves a quorum. */
function furtherLosses(lost: readonly Loss[]): Loss[][] {
  const further = lost.flatMap((loss, i) =>
    (['opinions', 'cross_review'] as const)
      .filter(stage => loss === null || (loss === 'cross_review' && stage === 'opinions'))
      .map(stage => lost.map((each, other) => (other === i ? stage : each))),
  );
  return further.filter(each => each.filter(stage => stage === 'opinions').length <= 2);
}

test('the loss of a member, at the opinions or at the cross-review, never raises the confidence', () => {
  fc.assert(
    fc.property(run, losses, (given, lost) => {
      const { confidence } = conclude(runWith(given, lost));
      for (const further of furtherLosses(lost)) {
        expect(conclude(runWith(given, further)).confidence).toBeLessThanOrEqual(confidence);
      }
    }),
    { numRuns: 300, seed: 20 },
  );
});

test('the loss of the outlier lowers the confidence', () => {
  const three = { first: [70, 20, 10], final: [70, 20, 10], firstOwn: 70, finalOwn: 70 };
  const outlier = { first: [10, 20, 70], final: [10, 20, 70], firstOwn: 10, finalOwn: 10 };
  const given: Run = { exclusive: true, prices: [0.7, 0.2, 0.1], members: [three, three, three, outlier] };
  const confidenceOf = (lost: readonly Loss[]) => conclude(runWith(given, lost)).confidence;
  const whole = confidenceOf([null, null, null, null]);
  expect(confidenceOf([null, null, null, 'opinions'])).toBeLessThan(whole);
  expect(confidenceOf([null, null, null, 'cross_review'])).toBeLessThan(whole);
});

describe('the loss of a chairman', () => {
  const dropouts: Dropout[] = [
    { model: 'claude', stage: 'synthesis', kind: 'timed_out', waitedSeconds: 10 },
    { model: 'gpt', stage: 'synthesis', kind: 'invalid_answer', truncated: true },
  ];
  const whole = input({ chairman: 'gemini' });

  test('changes no number and no verdict, and is named with the synthesis', () => {
    const { runtime, ...rest } = conclude({ ...whole, dropouts });
    const { runtime: wholeRuntime, ...wholeRest } = conclude(whole);
    expect(rest).toEqual(wholeRest);
    expect(runtime).toEqual({
      ...wholeRuntime,
      synthesis: {
        chairman: 'gemini',
        replaced: [
          { model: 'claude', reason: 'timed out after 10 s' },
          { model: 'gpt', reason: 'gave an answer that was cut off at its length limit' },
        ],
      },
    });
    expect(wholeRuntime).toMatchObject({ degraded: false, provider_failures: {} });
    expect(wholeRuntime.synthesis).toEqual({ chairman: 'gemini', replaced: [] });
  });
});
