import { describe, expect, test } from '@jest/globals';
import { estimate, type FormulaWeights } from '../../../council/estimate/estimate.js';
import { shippedWeights } from '../../../council/estimate/first-weights.js';
import { finish } from '../../../council/estimate/steps.js';
import { blendCoefficients, type Weights } from '../../../council/estimate/weights.js';
import { estimateMethod } from '../../../council/method.js';
import { at, sum } from '../../../council/numbers.js';
import type { Coefficients } from '../../../council/report.js';
import { type Challenger, evidenceAgainst, predict } from '../../../record/learning/challengers.js';
import { fitChallenger } from '../../../record/learning/fit-challenger.js';
import { estimateOutOfFold } from '../../../record/learning/fit-weights.js';
import { type RefitSets, refitWeights } from '../../../record/learning/refit-weights.js';
import { type TimedSet, trainingRow } from '../../../record/learning/resolved-sets.js';
import { plantedSets } from './planted-sets.js';
import { expectedGain, refitYear } from './refit-years.js';

const truth = { market: 0.3, council: 1, council_by_dispersion: 0 };
const blend: Weights = { ...shippedWeights, id: 'blend', coefficients: blendCoefficients };
const early = '2030-12-01T00:00:00.000Z';
const sets = plantedSets(truth, { sets: 400 });

function frozen(coefficients: Coefficients, frozenAt = early, change: Partial<Weights> = {}): Challenger {
  return { weights: { ...blend, id: 'frozen', coefficients, ...change }, frozenAt };
}

function refitted(known: readonly TimedSet[], change: Partial<RefitSets> = {}) {
  const times = { cutOff: '2031-03-01T00:00:00.000Z', createdAt: '2031-03-01T04:00:00.000Z' };
  const hashed = { sets: known, rowsSha256: 'a'.repeat(64) };
  return finish(
    refitWeights({ id: 'refit', ...hashed, incumbent: blend, challengers: [], ...times, ...change }),
  );
}

function forFormula(coefficients: Coefficients): FormulaWeights {
  return { kind: estimateMethod, coefficients };
}

function rowsOf(known: readonly TimedSet[]) {
  return known.map(set => ({
    ...trainingRow(set, estimateMethod),
    madeAt: set.madeAt,
    resolvedAt: set.resolvedAt,
  }));
}

describe('a refit', () => {
  test('freezes a challenger first, however much better it fits what is known', () => {
    const { weights, activate, evidence, reason } = refitted(sets);
    expect({ activate, evidence }).toEqual({ activate: false, evidence: { eValue: 1, events: 0 } });
    expect(reason).toBe(
      'not yet better than blend: the challengers have an e-value of 1.00 over 0 events, 20 over 120 events or more is needed',
    );
    expect(weights).toMatchObject({ id: 'refit', prior: blendCoefficients, walk_forward: null });
    expect(weights?.trained_on).toEqual({
      events: 400,
      rows: 400,
      until: '2031-03-01T00:00:00.000Z',
      rows_sha256: 'a'.repeat(64),
    });
  });

  test('puts the newest challenger in force, unchanged, once the challengers have predicted well enough', () => {
    const older = frozen({ market: 0.5, council: 0.6, council_by_dispersion: 0 });
    const newest = frozen(truth, at(sets, 200).madeAt, { id: 'newest' });
    const { weights, activate, evidence, reason } = refitted(sets, { challengers: [older, newest] });
    expect(weights).toBe(newest.weights);
    expect(activate).toBe(true);
    expect(evidence.events).toBe(400);
    expect(evidence.eValue).toBeGreaterThan(20);
    expect(reason).toMatch(/^better than blend: the challengers have an e-value of \S+ over 400 events/);
  });

  test('waits for 120 events, predicted and learnt from', () => {
    const challengers = [frozen(truth)];
    expect(refitted(sets.slice(0, 119), { challengers })).toMatchObject({
      activate: false,
      evidence: { events: 119 },
      weights: { id: 'refit', walk_forward: { minus_incumbent: expect.any(Number) } },
    });
    expect(refitted(sets.slice(0, 119), { challengers }).evidence.eValue).toBeGreaterThan(20);
    const trained_on = { ...blend.trained_on, events: 119 };
    expect(refitted(sets, { challengers: [frozen(truth, early, { trained_on })] }).activate).toBe(false);
  });

  test('keeps weights that are right', () => {
    const incumbent = { ...blend, id: 'oracle', coefficients: truth };
    const { activate, evidence, reason } = refitted(sets, {
      incumbent,
      challengers: [frozen(blendCoefficients)],
    });
    expect(activate).toBe(false);
    expect(evidence.eValue).toBeLessThan(0.05);
    expect(reason).toContain('not yet better than oracle');
  });

  test('says when there is too little to fit a challenger to, and counts reports of one event as one', () => {
    expect(refitted(sets.slice(0, 29))).toMatchObject({
      weights: null,
      activate: false,
      reason: 'too few events to fit a challenger of blend: 29, at least 30 are needed',
    });
    expect(refitted(plantedSets(truth, { sets: 600, setsPerEvent: 30 })).weights).toBeNull();
  });

  test('gives the same weights and the same evidence to the bit, in whatever order the reports are read', () => {
    const challengers = [frozen(truth)];
    const some = sets.slice(0, 90);
    expect(refitted(some.toReversed(), { challengers })).toEqual(refitted(some, { challengers }));
  });
});

describe('the evidence of challengers', () => {
  const two = plantedSets(truth, { sets: 4, setsPerEvent: 2 });
  const ratio = (set: TimedSet) =>
    at(estimate(set, forFormula(truth)), set.happened) /
    at(estimate(set, forFormula(blendCoefficients)), set.happened);
  const evidence = (known: readonly TimedSet[], challengers: readonly Challenger[]) =>
    evidenceAgainst(blendCoefficients, predict(rowsOf(known), challengers));

  test('is the product over events of the geometric mean of the likelihood ratios of their reports', () => {
    const expected = Math.exp(sum(two.map(set => Math.log(ratio(set)) / 2)));
    const { eValue, events } = evidence(two, [frozen(truth)]);
    expect(events).toBe(2);
    expect(eValue).toBeCloseTo(expected, 12);
  });

  test('counts only reports that were made after a challenger was frozen, by the newest one of that time', () => {
    const first = frozen({ market: 0, council: 0, council_by_dispersion: 0 }, at(two, 1).madeAt);
    const second = frozen(truth, at(two, 2).madeAt);
    const { rows, estimates } = predict(rowsOf(two), [second, first]);
    expect(rows.map(({ madeAt }) => madeAt)).toEqual([at(two, 2).madeAt, at(two, 3).madeAt]);
    expect(estimates).toEqual([[0.5, 0.5], estimate(at(two, 3), forFormula(truth))]);
    expect(evidence(two, [])).toEqual({ eValue: 1, events: 0 });
  });
});

describe('a challenger', () => {
  const fitted = (known: readonly TimedSet[], incumbent: Coefficients) =>
    fitChallenger(rowsOf(known), incumbent);

  test('moves towards what the reports say by at most 0.1 in a coefficient, and is shrunken by 100 events', () => {
    const { coefficients, prior, lambda } = fitted(sets, blendCoefficients);
    expect({ prior, lambda }).toEqual({ prior: blendCoefficients, lambda: 100 });
    expect(coefficients.council).toBeCloseTo(0.3, 6);
    expect(coefficients.market).toBeGreaterThanOrEqual(0.7);
    expect(coefficients.market).toBeLessThan(0.8);
  });

  test.each([
    ['above', { market: 2, council: 2, council_by_dispersion: 0 }, 1.25, 1.3],
    ['below', { market: 0.1, council: 0.1, council_by_dispersion: 0 }, 0.95, 0.9],
  ])('keeps the sum of market and council within 0.9 and 1.3 (%s)', (_, drawnBy, slope, bound) => {
    const incumbent = { market: slope - 0.2, council: 0.2, council_by_dispersion: 0 };
    const { market, council } = fitted(plantedSets(drawnBy, { sets: 400 }), incumbent).coefficients;
    expect(market + council).toBeCloseTo(bound, 6);
  });

  test('comes nearer to the bounds from outside of them, and never goes further away', () => {
    const incumbent = { market: 1.2, council: 0.4, council_by_dispersion: 0 };
    const slopeBy = (drawnBy: Coefficients) => {
      const { market, council } = fitted(plantedSets(drawnBy, { sets: 400 }), incumbent).coefficients;
      return market + council;
    };
    expect(slopeBy({ market: 0.4, council: 0.2, council_by_dispersion: 0 })).toBeLessThan(1.6);
    expect(slopeBy({ market: 3, council: 2, council_by_dispersion: 0 })).toBeCloseTo(1.6, 6);
  });
});

/** `REFIT_YEARS=100` repeats the counts of ADR 30; its refits are then a week apart. */
const years = Number(process.env['REFIT_YEARS'] ?? 8);
const weeksApart = process.env['REFIT_YEARS'] === undefined ? 4 : 1;

describe('a year of refits, 520 events', () => {
  const yearsBy = (by: Coefficients) =>
    Array.from({ length: years }, (_, index) => refitYear(by, `year-${index}`, { weeksApart }));

  test('puts nothing in force where the weights in force are right, in 19 of 20 records', () => {
    const changed = yearsBy(shippedWeights.coefficients).filter(({ activated }) => activated.length > 0);
    expect(changed.length).toBeLessThanOrEqual(years / 20);
    for (const { activated } of changed) {
      const last = at(activated, activated.length - 1);
      expect(expectedGain(last.coefficients, shippedWeights.coefficients)).toBeLessThan(0.0005);
    }
  });

  test('finds a real difference of 0.019 in the Brier score', () => {
    const gains = yearsBy(truth).map(({ activated }) => {
      const last = activated.at(-1);
      return last === undefined ? 0 : expectedGain(last.coefficients, truth);
    });
    expect(expectedGain(truth, truth)).toBeCloseTo(-0.019, 3);
    expect(gains.filter(gain => gain < -0.002).length).toBeGreaterThanOrEqual(0.9 * years);
  });
});

test('cross-validation gives the same bits in whatever order the sets are read', () => {
  const some = sets.slice(0, 60);
  const estimates = finish(estimateOutOfFold(some, blendCoefficients));
  const turned = finish(estimateOutOfFold(some.toReversed(), blendCoefficients));
  expect(turned.toReversed()).toEqual(estimates);
});
