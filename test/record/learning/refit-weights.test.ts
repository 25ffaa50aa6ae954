import { describe, expect, test } from '@jest/globals';
import { firstWeights } from '../../../council/estimate/first-weights.js';
import { finish } from '../../../council/estimate/steps.js';
import { blendCoefficients, type Weights } from '../../../council/estimate/weights.js';
import { estimateMethod } from '../../../council/method.js';
import { at } from '../../../council/numbers.js';
import { estimateOutOfFold } from '../../../record/learning/fit-weights.js';
import { type RefitSets, refitWeights } from '../../../record/learning/refit-weights.js';
import { type TimedSet, trainingRow } from '../../../record/learning/resolved-sets.js';
import { type TimedRow, walkForward } from '../../../record/learning/walk-forward.js';
import { plantedSets } from './planted-sets.js';

const truth = { market: 0.3, council: 1, council_by_dispersion: 0 };
const blend: Weights = { ...firstWeights, id: 'blend', coefficients: blendCoefficients };
const oracle: Weights = { ...blend, id: 'oracle', coefficients: truth };

function refitted(sets: readonly TimedSet[], incumbent: Weights, change: Partial<RefitSets> = {}) {
  const times = { cutOff: '2031-03-01T00:00:00.000Z', createdAt: '2031-03-01T04:00:00.000Z' };
  const input = { id: 'refit', sets, rowsSha256: 'a'.repeat(64), incumbent, ...times, ...change };
  return finish(refitWeights(input));
}

describe('a refit', () => {
  const sets = plantedSets(truth, { sets: 400 });

  test('finds planted weights, and proposes them where they beat the incumbent by more than noise', () => {
    const { weights, activate, reason } = refitted(sets, blend);
    expect(activate).toBe(true);
    expect(reason).toMatch(/^better than blend by more than noise: Brier score −0\.0\d+ \(95 %: −/);
    expect(Math.abs((weights?.coefficients.market ?? 0) - truth.market)).toBeLessThan(0.25);
    expect(Math.abs((weights?.coefficients.council ?? 0) - truth.council)).toBeLessThan(0.25);
    expect(weights).toMatchObject({ id: 'refit', prior: blendCoefficients });
    expect(weights?.trained_on).toEqual({
      events: 400,
      rows: 400,
      until: '2031-03-01T00:00:00.000Z',
      rows_sha256: 'a'.repeat(64),
    });
  });

  test('gives the same weights to the bit, in whatever order the reports are read', () => {
    const some = sets.slice(0, 90);
    expect(refitted(some.toReversed(), blend)).toEqual(refitted(some, blend));
  });

  test('and its cross-validation give the same bits in any order', () => {
    const some = sets.slice(0, 60);
    const estimates = finish(estimateOutOfFold(some, blendCoefficients));
    const turned = finish(estimateOutOfFold(some.toReversed(), blendCoefficients));
    expect(turned.toReversed()).toEqual(estimates);
  });

  test('refuses weights that are not better than those that are right', () => {
    const { weights, activate, reason } = refitted(sets, oracle);
    expect(activate).toBe(false);
    expect(reason).toContain('not better than oracle by more than noise');
    expect(weights?.prior).toEqual(truth);
  });

  test('compares only what the incumbent did not know, and says when that is too little', () => {
    const trained_on = { ...blend.trained_on, until: at(sets, 390).resolvedAt };
    expect(refitted(sets, { ...blend, trained_on })).toEqual({
      weights: null,
      activate: false,
      reason: 'too few events to compare with blend: 10, at least 30 are needed',
    });
    expect(refitted([], blend).reason).toContain('too few events to compare with blend: 0');
  });

  test('counts reports of one event as one', () => {
    const few = plantedSets(truth, { sets: 600, setsPerEvent: 30 });
    expect(refitted(few, blend).reason).toContain('too few events');
  });
});

describe('walking forward', () => {
  const rows: TimedRow[] = plantedSets(truth, { sets: 100, setsPerEvent: 2 }).map(set => ({
    ...trainingRow(set, estimateMethod),
    madeAt: set.madeAt,
    resolvedAt: set.resolvedAt,
  }));
  const estimatesOf = (known: readonly TimedRow[]) => finish(walkForward(rows, known, blendCoefficients));
  const flipped = (isFlipped: (row: TimedRow) => boolean) =>
    rows.map(row => (isFlipped(row) ? { ...row, happened: 1 - row.happened } : row));

  test('estimates a report with nothing that was resolved after it was made, nor with its own event', () => {
    const { rows: walked, estimates } = estimatesOf(rows);
    expect(walked.length).toBeGreaterThan(60);
    for (const index of [0, walked.length - 1]) {
      const row = at(walked, index);
      const later = estimatesOf(flipped(each => each.resolvedAt >= row.madeAt || each.event === row.event));
      expect(later.rows).toEqual(walked);
      expect(at(later.estimates, index)).toEqual(at(estimates, index));
    }
    expect(estimatesOf(flipped(() => true)).estimates).not.toEqual(estimates);
  });

  test('estimates a report with no other report of its event, even if that was resolved before', () => {
    const last = at(rows, rows.length - 1);
    const others = rows.filter(({ event }) => event !== last.event);
    const estimated = (happened: number) => {
      const twin = { ...last, madeAt: at(rows, 0).madeAt, resolvedAt: at(rows, 0).resolvedAt, happened };
      return finish(walkForward([...others, last], [twin, ...others], blendCoefficients)).estimates.at(-1);
    };
    expect(estimated(0)).toEqual(estimated(1));
  });

  test('leaves out what was made before anything was resolved', () => {
    const { rows: walked } = estimatesOf(rows);
    const firstResolved = rows.map(({ resolvedAt }) => resolvedAt).sort()[0] ?? '';
    for (const { madeAt } of walked) expect(madeAt > firstResolved).toBe(true);
  });
});
