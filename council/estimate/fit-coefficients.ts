import { at, sum } from '../numbers.js';
import {
  type Coefficients,
  estimateOf,
  type Features,
  toCoefficients,
  toVector,
  type Vector,
} from './estimate.js';

/** A resolved set of outcomes. */
export interface TrainingRow {
  /** Rows of one event share the weight of one. */
  readonly event: string;
  readonly features: Features;
  /** Index of the outcome that happened. */
  readonly happened: number;
}

export interface FitOptions {
  /** The coefficients that few data leave as they are. */
  readonly prior: Coefficients;
  /** Weight of the prior: about that of as many events. */
  readonly lambda: number;
}

/**
 * The coefficients with the lowest penalised log loss (ridge regression of a conditional logit, McFadden 1974; Hoerl and
 * Kennard 1970):
 *
 *     Σ over events of the mean −log p(what happened) + λ/2 · Σ (coefficient − prior)²
 *
 * Found by Newton's method, halving steps that do not improve. The loss is convex, so the minimum is unique. The same rows
 * in the same order give the same bits.
 */
export function fitCoefficients(rows: readonly TrainingRow[], { prior, lambda }: FitOptions): Coefficients {
  const weighted = withEventWeights(rows);
  const start = toVector(prior);
  const lossAt = (vector: Vector) => sum([logLoss(weighted, vector), penalty(vector, start, lambda)]);
  let vector = start;
  let loss = lossAt(vector);
  for (let step = 0; step < stepsMax; step += 1) {
    const { gradient, hessian } = slopes(weighted, vector, start, lambda);
    const direction = solve(hessian, gradient);
    const decrement = sum(gradient.map((value, index) => value * at(direction, index)));
    if (decrement < decrementMin) return toCoefficients(vector);
    ({ vector, loss } = improved({ vector, loss }, direction, lossAt));
  }
  throw new RangeError('the coefficients do not converge');
}

const stepsMax = 100;
/** Twice the loss that one more step would save: no published digit depends on it. */
const decrementMin = 1e-12;

interface Point {
  readonly vector: Vector;
  readonly loss: number;
}

/** The point after a step, which is halved until the loss falls. */
function improved(from: Point, direction: Vector, lossAt: (vector: Vector) => number): Point {
  for (let share = 1; share > Number.EPSILON; share /= 2) {
    const vector = from.vector.map((value, index) => value - share * at(direction, index));
    const loss = lossAt(vector);
    if (loss < from.loss) return { vector, loss };
  }
  return from;
}

interface WeightedRow extends TrainingRow {
  readonly weight: number;
}

function withEventWeights(rows: readonly TrainingRow[]): WeightedRow[] {
  const counts = new Map<string, number>();
  for (const { event } of rows) counts.set(event, (counts.get(event) ?? 0) + 1);
  return rows.map(row => ({ ...row, weight: 1 / (counts.get(row.event) ?? 1) }));
}

function logLoss(rows: readonly WeightedRow[], vector: Vector): number {
  let loss = 0;
  for (const { features, happened, weight } of rows) {
    loss -= weight * Math.log(at(estimateOf(features, vector), happened));
  }
  return loss;
}

function penalty(vector: Vector, prior: Vector, lambda: number): number {
  return (lambda / 2) * sum(vector.map((value, index) => (value - at(prior, index)) ** 2));
}

/** First and second derivatives: expected minus observed features, and their covariance under the estimate. */
function slopes(rows: readonly WeightedRow[], vector: Vector, prior: Vector, lambda: number) {
  const gradient = vector.map((value, index) => lambda * (value - at(prior, index)));
  const hessian = vector.map((_, i) => vector.map((__, j) => (i === j ? lambda : 0)));
  for (const { features, happened, weight } of rows) {
    const p = estimateOf(features, vector);
    const expected = vector.map((_, i) => expectation(p, features, row => at(row, i)));
    for (const [i, row] of hessian.entries()) {
      gradient[i] = at(gradient, i) + weight * (at(expected, i) - at(at(features, happened), i));
      for (const j of row.keys()) {
        const product = expectation(p, features, each => at(each, i) * at(each, j));
        row[j] = at(row, j) + weight * (product - at(expected, i) * at(expected, j));
      }
    }
  }
  return { gradient, hessian };
}

function expectation(p: Vector, features: Features, valueOf: (row: Vector) => number): number {
  let total = 0;
  for (const [index, row] of features.entries()) total += at(p, index) * valueOf(row);
  return total;
}

/** Solves a positive definite system by Gaussian elimination; λ > 0 makes every pivot positive. */
function solve(matrix: readonly Vector[], right: Vector): Vector {
  const rows = matrix.map((row, index) => [...row, at(right, index)]);
  for (const [pivot, pivotRow] of rows.entries()) {
    for (const row of rows.slice(pivot + 1)) {
      const factor = at(row, pivot) / at(pivotRow, pivot);
      for (const column of row.keys()) row[column] = at(row, column) - factor * at(pivotRow, column);
    }
  }
  const solution: number[] = [];
  for (const [index, row] of [...rows.entries()].reverse()) {
    const known = solution.map((value, offset) => value * at(row, index + 1 + offset));
    solution.unshift((at(row, right.length) - sum(known)) / at(row, index));
  }
  return solution;
}
