import { describe, expect, test } from '@jest/globals';
import { chooseLambda, crossValidate, lambdas } from '../../../council/estimate/cross-validate.js';
import { estimateOf, toVector } from '../../../council/estimate/estimate.js';
import { fitCoefficients, type TrainingRow } from '../../../council/estimate/fit-coefficients.js';
import { finish } from '../../../council/estimate/steps.js';
import { blendCoefficients } from '../../../council/estimate/weights.js';
import { estimateMethod } from '../../../council/method.js';
import { at, sum } from '../../../council/numbers.js';
import { seededShuffle } from '../../../council/random.js';
import type { Coefficients } from '../../../council/report.js';
import { type ResolvedSet, trainingRow } from '../../../record/learning/resolved-sets.js';
import { type Planting, plantedSets } from '../../record/learning/planted-sets.js';

const truth: Coefficients = { market: 0.3, council: 1, council_by_dispersion: 0.5 };
const prior = blendCoefficients;

function rowsOf(planting: Planting): TrainingRow[] {
  return plantedSets(truth, planting).map(rowOf);
}

function rowOf(set: ResolvedSet): TrainingRow {
  return trainingRow(set, estimateMethod);
}

/** The penalised loss, written down once more, without the shortcuts of the fit. */
function lossOf(rows: readonly TrainingRow[], coefficients: Coefficients, lambda: number): number {
  const counts = new Map<string, number>();
  for (const { event } of rows) counts.set(event, (counts.get(event) ?? 0) + 1);
  const vector = toVector(coefficients);
  const losses = rows.map(
    ({ event, features, happened }) =>
      -Math.log(at(estimateOf(features, vector), happened)) / (counts.get(event) ?? 1),
  );
  const away = vector.map((value, index) => (value - at(toVector(prior), index)) ** 2);
  return sum(losses) + (lambda / 2) * sum(away);
}

describe('a fit', () => {
  test.each([
    [2, 4_000],
    [5, 1_500],
  ])('recovers planted coefficients from sets of %i outcomes', (outcomes, sets) => {
    const fitted = fitCoefficients(rowsOf({ sets, outcomes }), { prior, lambda: 1 });
    expect(fitted.market).toBeCloseTo(truth.market, 0.7);
    expect(fitted.council).toBeCloseTo(truth.council, 0.7);
    expect(Math.abs(fitted.council_by_dispersion - truth.council_by_dispersion)).toBeLessThan(0.35);
  });

  test('minimises the penalised loss with one vote for each event', () => {
    const rows = [
      ...rowsOf({ sets: 60, outcomes: 3 }),
      ...rowsOf({ sets: 60, setsPerEvent: 6, seed: 'many' }),
    ];
    const lambda = 5;
    const fitted = fitCoefficients(rows, { prior, lambda });
    const loss = lossOf(rows, fitted, lambda);
    for (const name of ['market', 'council', 'council_by_dispersion'] as const) {
      for (const step of [-1e-3, 1e-3]) {
        expect(lossOf(rows, { ...fitted, [name]: fitted[name] + step }, lambda)).toBeGreaterThan(loss);
      }
    }
  });

  test('stays at the prior without data, and approaches it as λ grows', () => {
    expect(fitCoefficients([], { prior, lambda: 30 })).toEqual(prior);
    const rows = rowsOf({ sets: 200 });
    const distances = lambdas.map(lambda => {
      const fitted = toVector(fitCoefficients(rows, { prior, lambda }));
      return Math.hypot(...fitted.map((value, index) => value - at(toVector(prior), index)));
    });
    expect(distances).toEqual([...distances].sort((a, b) => b - a));
    expect(fitCoefficients(rows, { prior, lambda: 1e9 }).council).toBeCloseTo(prior.council, 6);
  });

  test('repeats to the bit, and means the same in any order of the rows and of the outcomes', () => {
    const rows = rowsOf({ sets: 300, outcomes: 3, setsPerEvent: 2 });
    const options = { prior, lambda: 10 };
    const fitted = fitCoefficients(rows, options);
    expect(fitCoefficients(rows, options)).toEqual(fitted);
    const turned = seededShuffle('order', rows).map(({ event, features, happened }) => ({
      event,
      features: features.toReversed(),
      happened: features.length - 1 - happened,
    }));
    const other = toVector(fitCoefficients(turned, options));
    for (const [index, value] of toVector(fitted).entries()) expect(other[index]).toBeCloseTo(value, 9);
  });
});

describe('cross-validation', () => {
  test('never estimates an event with what is known of it', () => {
    const rows = rowsOf({ sets: 90, setsPerEvent: 3 });
    const before = finish(crossValidate(rows, prior));
    for (const event of ['planted-0', 'planted-17']) {
      const changed = rows.map(row => (row.event === event ? { ...row, happened: 1 - row.happened } : row));
      const after = finish(crossValidate(changed, prior));
      const isSame = (row: TrainingRow, index: number) =>
        row.event !== event || at(after, index).every((p, each) => p === at(at(before, index), each));
      expect(rows.every(isSame)).toBe(true);
      expect(after).not.toEqual(before);
    }
  });

  test('chooses much shrinkage where there is nothing to learn, and little where there is much', () => {
    const nothing = plantedSets(prior, { sets: 400 }).map(rowOf);
    expect(finish(chooseLambda(nothing, prior))).toBe(300);
    const far = { market: -1, council: 3, council_by_dispersion: 0 };
    const much = plantedSets(far, { sets: 400 }).map(rowOf);
    expect(finish(chooseLambda(much, prior))).toBeLessThan(30);
    expect(finish(chooseLambda([], prior))).toBe(300);
  });
});
