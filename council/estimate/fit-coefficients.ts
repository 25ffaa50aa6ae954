import { at, sum } from '../numbers.js';
import type { Coefficients } from '../report.js';
import { type Features, toCoefficients, toVector, type Vector } from './estimate.js';

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
 * The coefficients with the lowest penalised log loss (ridge regression of a conditional logit, McFadden 1974; Hoerl
 * and Kennard 1970):
 *
 *     Σ over events of the mean −log p(what happened) + λ/2 · Σ (coefficient − prior)²
 *
 * Found by Newton's method, halving steps that do not improve. The loss is convex, so the minimum is unique. The same
 * rows in the same order give the same bits; another order changes at most digits that nobody publishes.
 */
export function fitCoefficients(rows: readonly TrainingRow[], options: FitOptions): Coefficients {
  return fitTable(tableOf(rows), options);
}

/**
 * Training rows as fitting reads them. The log loss of a row is log(1 + Σ exp(difference · coefficients)), where the
 * differences are, per outcome that did not happen, its features minus those of the outcome that did.
 */
export interface TrainingTable {
  /** The differences of all rows, one after the other. */
  readonly differences: Float64Array;
  /** How many numbers of `differences` belong to each row. */
  readonly lengths: Int32Array;
  /** 1 / rows of its event, for each row. */
  readonly weights: Float64Array;
}

export function tableOf(rows: readonly TrainingRow[]): TrainingTable {
  const counts = new Map<string, number>();
  for (const { event } of rows) counts.set(event, (counts.get(event) ?? 0) + 1);
  const differences = rows.map(differencesOf);
  return {
    differences: Float64Array.from(differences.flat()),
    lengths: Int32Array.from(differences, ({ length }) => length),
    weights: Float64Array.from(rows, ({ event }) => 1 / (counts.get(event) ?? 1)),
  };
}

function differencesOf({ features, happened }: TrainingRow): number[] {
  const actual = at(features, happened);
  const others = features.filter((_, index) => index !== happened);
  return others.flatMap(row => row.map((value, index) => value - at(actual, index)));
}

/** {@link fitCoefficients} for rows that are fitted with several λ. */
export function fitTable(table: TrainingTable, { prior, lambda }: FitOptions): Coefficients {
  const start = toVector(prior);
  const slopesAt = (vector: Vector) => penalised(slopes(table, vector), vector, { start, lambda });
  let point: Point = { vector: start, ...slopesAt(start) };
  for (let step = 0; step < stepsMax; step += 1) {
    const direction = solve(point.hessian, point.gradient);
    const decrement = dot(point.gradient, direction);
    if (decrement < decrementMin) return toCoefficients(stepped(point.vector, direction, 1));
    point = improved(point, direction, slopesAt);
  }
  throw new RangeError('the coefficients do not converge');
}

const stepsMax = 100;
/** Twice the loss that one more step would save. That step is taken, and squares what is left of the error. */
const decrementMin = 1e-9;

/** The loss with its first and second derivatives. */
interface Slopes {
  readonly loss: number;
  readonly gradient: Vector;
  readonly hessian: readonly Vector[];
}

interface Point extends Slopes {
  readonly vector: Vector;
}

/** The point after a step, which is halved until the loss falls. */
function improved(from: Point, direction: Vector, slopesAt: (vector: Vector) => Slopes): Point {
  for (let share = 1; share > Number.EPSILON; share /= 2) {
    const vector = stepped(from.vector, direction, share);
    const there = slopesAt(vector);
    if (there.loss < from.loss) return { vector, ...there };
  }
  return from;
}

function stepped(vector: Vector, direction: Vector, share: number): Vector {
  return vector.map((value, index) => value - share * at(direction, index));
}

function penalised(
  { loss, gradient, hessian }: Slopes,
  vector: Vector,
  { start, lambda }: { start: Vector; lambda: number },
): Slopes {
  const away = stepped(vector, start, 1);
  return {
    loss: loss + (lambda / 2) * dot(away, away),
    gradient: gradient.map((value, index) => value + lambda * at(away, index)),
    hessian: hessian.map((row, i) => row.map((value, j) => (i === j ? value + lambda : value))),
  };
}

/**
 * Gradient: the mean difference under the estimate. Hessian: the covariance of the differences, of which the half below
 * the diagonal is added up, because it is symmetric.
 *
 * Plain loops over typed arrays, because nested cross-validation reads millions of rows. No index is ever outside its
 * array; `?? 0` only says so to the compiler.
 */
function slopes({ differences, lengths, weights }: TrainingTable, vector: Vector): Slopes {
  const size = vector.length;
  const [gradient, hessian] = [new Float64Array(size), new Float64Array(size * size)];
  const { first, second, readRow } = createMoments(differences, Float64Array.from(vector));
  let loss = 0;
  let start = 0;
  for (let row = 0; row < lengths.length; row += 1) {
    const end = start + (lengths[row] ?? 0);
    const weight = weights[row] ?? 0;
    const total = readRow(start, end);
    loss += weight * log(total);
    for (let i = 0; i < size; i += 1) {
      const mean = (first[i] ?? 0) / total;
      gradient[i] = (gradient[i] ?? 0) + weight * mean;
      for (let j = 0; j <= i; j += 1) {
        const covariance = ((second[i * size + j] ?? 0) - mean * (first[j] ?? 0)) / total;
        hessian[i * size + j] = (hessian[i * size + j] ?? 0) + weight * covariance;
      }
    }
    start = end;
  }
  return { loss, gradient: [...gradient], hessian: symmetric(hessian, size) };
}

/**
 * Moments of the outcomes of one row at a time: Σ odds · difference and Σ odds · difference · differenceᵀ (its lower
 * half). The arrays are used again for each row.
 */
function createMoments(differences: Float64Array, vector: Float64Array) {
  const size = vector.length;
  const [first, second] = [new Float64Array(size), new Float64Array(size * size)];
  /** @returns 1 + Σ odds */
  const readRow = (start: number, end: number): number => {
    first.fill(0);
    second.fill(0);
    let total = 1;
    for (let outcome = start; outcome < end; outcome += size) {
      let exponent = 0;
      for (let i = 0; i < size; i += 1) exponent += (differences[outcome + i] ?? 0) * (vector[i] ?? 0);
      const odds = exp(exponent);
      total += odds;
      for (let i = 0; i < size; i += 1) {
        const product = odds * (differences[outcome + i] ?? 0);
        first[i] = (first[i] ?? 0) + product;
        for (let j = 0; j <= i; j += 1) {
          second[i * size + j] = (second[i * size + j] ?? 0) + product * (differences[outcome + j] ?? 0);
        }
      }
    }
    return total;
  };
  return { first, second, readRow };
}

/** The whole matrix from its half below the diagonal, row by row. */
function symmetric(lower: Float64Array, size: number): Vector[] {
  const indices = Array.from({ length: size }, (_, index) => index);
  return indices.map(i => indices.map(j => lower[Math.max(i, j) * size + Math.min(i, j)] ?? 0));
}

function dot(one: Vector, other: Vector): number {
  let total = 0;
  for (let index = 0; index < one.length; index += 1) total += at(one, index) * at(other, index);
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
  for (const [index, row] of [...rows.entries()].toReversed()) {
    const known = solution.map((value, offset) => value * at(row, index + 1 + offset));
    solution.unshift((at(row, right.length) - sum(known)) / at(row, index));
  }
  return solution;
}

/** Looked up once, because they are called millions of times and every use of a global is a lookup. */
const { exp, log } = Math;
