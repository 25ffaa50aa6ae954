import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blend } from '../../../council/conclusion/consensus.js';
import { dispersion, estimate } from '../../../council/estimate/estimate.js';
import { firstWeights, shippedWeights } from '../../../council/estimate/first-weights.js';
import { blendCoefficients, type Weights } from '../../../council/estimate/weights.js';
import { at, scaledToOne, sum } from '../../../council/numbers.js';

const weights = {
  kind: 'estimate/2',
  coefficients: { market: 0.7, council: 0.4, council_by_dispersion: 0.1 },
} as const;
const logit = (p: number) => Math.log(p / (1 - p));
const sides = (p: number) => [p, 1 - p];

/** A distribution over n outcomes, none of which is at the floor. */
const distribution = (n: number) =>
  fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: n, maxLength: n }).map(scaledToOne);
const sets = fc.integer({ min: 2, max: 6 }).chain(n =>
  fc.record({
    market: distribution(n),
    council: distribution(n),
    members: fc.array(distribution(n), { minLength: 2, maxLength: 4 }),
  }),
);

describe('the estimate', () => {
  test('of two outcomes is a weighted sum of logits', () => {
    const spread = (logit(0.8) - logit(0.6)) / 2;
    const expected = 0.7 * logit(0.3) + (0.4 + 0.1 * (spread - 0.4)) * logit(0.71);
    const set = { market: sides(0.3), council: sides(0.71), members: [sides(0.6), sides(0.8)] };
    expect(logit(estimate(set, weights)[0] ?? 0)).toBeCloseTo(expected, 12);
  });

  test('with the coefficients of the blend is the blend', () => {
    fc.assert(
      fc.property(sets, ({ market, council, members }) => {
        const expected = blend(council, market, true);
        for (const [index, p] of estimate(
          { market, council, members },
          { ...weights, coefficients: blendCoefficients },
        ).entries()) {
          expect(p).toBeCloseTo(at(expected, index), 9);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('adds up to 1, follows a permutation of the outcomes, and gives any two of them the odds of their own numbers', () => {
    fc.assert(
      fc.property(sets, set => {
        const p = estimate(set, weights);
        expect(sum(p)).toBeCloseTo(1, 12);
        const reversed = {
          market: set.market.toReversed(),
          council: set.council.toReversed(),
          members: set.members.map(row => row.toReversed()),
        };
        for (const [index, each] of estimate(reversed, weights).toReversed().entries()) {
          expect(each).toBeCloseTo(at(p, index), 12);
        }
        const weight = 0.4 + 0.1 * (dispersion(set.members) - 0.4);
        const odds = 0.7 * ratio(set.market) + weight * ratio(set.council);
        expect(ratio(p)).toBeCloseTo(odds, 9);
      }),
      { numRuns: 50 },
    );
  });

  test('is finite for certain voices, and no voice has a veto', () => {
    const p = estimate({ market: sides(0), council: sides(1), members: [sides(1), sides(1)] }, weights);
    expect(sum(p)).toBeCloseTo(1, 12);
    for (const each of p) expect(each).toBeGreaterThan(0.01);
  });

  test('of what market and council call nearly impossible is as low as prices below 1 % have been; estimate/1 said 0.7 %', () => {
    const low = sides(0.001);
    const set = { market: low, council: low, members: [low, low] };
    const by = (shipped: Weights) => 100 * at(estimate(set, shipped), 0);
    expect(by(shippedWeights)).toBeCloseTo(0.14, 2);
    expect(by(firstWeights)).toBeCloseTo(0.74, 2);
  });

  test('never falls below what the lowest price that counts says: a price of 0 and one of 0.1 % are the same', () => {
    const at0 = { market: sides(0), council: sides(0.5), members: [sides(0.5)] };
    expect(estimate(at0, weights)).toEqual(estimate({ ...at0, market: sides(0.001) }, weights));
    expect(estimate({ ...at0, market: sides(0.002) }, weights)).not.toEqual(estimate(at0, weights));
  });
});

describe('the dispersion of the members', () => {
  const variance = (values: readonly number[]) => {
    const mean = sum(values) / values.length;
    return sum(values.map(value => (value - mean) ** 2)) / values.length;
  };

  test('of two outcomes is the standard deviation of their logits', () => {
    const members = [0.2, 0.5, 0.9];
    expect(dispersion(members.map(sides))).toBeCloseTo(Math.sqrt(variance(members.map(logit))), 12);
  });

  test('of n outcomes is the root of the mean variance over all pairs', () => {
    fc.assert(
      fc.property(sets, ({ members }) => {
        const indices = [...at(members, 0).keys()];
        const pairs = indices.flatMap(i => indices.slice(0, i).map(j => [i, j] as const));
        const variances = pairs.map(([i, j]) =>
          variance(members.map(row => Math.log(at(row, i) / at(row, j)))),
        );
        expect(dispersion(members)).toBeCloseTo(Math.sqrt(sum(variances) / variances.length), 9);
      }),
      { numRuns: 50 },
    );
  });
});

/** Log odds of the first two outcomes. */
function ratio(p: readonly number[]): number {
  return Math.log(at(p, 0) / at(p, 1));
}
