import { chooseLambda, crossValidate } from '../../council/estimate/cross-validate.js';
import { fitCoefficients, type TrainingRow } from '../../council/estimate/fit-coefficients.js';
import type { Steps } from '../../council/estimate/steps.js';
import type { TrainedOn, Weights } from '../../council/estimate/weights.js';
import { estimateMethod } from '../../council/method.js';
import { at } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import { compareEstimates, publishedCoefficients } from './compare-estimates.js';
import { canonicalOrder, type ResolvedSet, trainingRow } from './resolved-sets.js';

export interface FitInput {
  readonly id: string;
  /** At least one. */
  readonly sets: readonly ResolvedSet[];
  /** `estimateOutOfFold(sets, incumbent)`. */
  readonly outOfFold: readonly (readonly number[])[];
  /** SHA-256, hex, of `canonicalRows(sets)`. */
  readonly rowsSha256: string;
  /** The coefficients that are shrunk towards, and compared with. */
  readonly incumbent: Coefficients;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/**
 * Fits weights to sets that name no times, with the λ that cross-validation by event chooses. The same sets in any
 * order give the same weights.
 */
export function* fitWeights(input: FitInput): Steps<Weights> {
  const { id, sets, outOfFold, rowsSha256, incumbent, createdAt } = input;
  const order = canonicalOrder(sets);
  const rows = order.map(index => trainingRow(at(sets, index), estimateMethod));
  const estimates = order.map(index => at(outOfFold, index));
  return {
    id,
    kind: estimateMethod,
    ...(yield* fitShrunken(rows, incumbent)),
    trained_on: trainedOn(rows, { until: null, rows_sha256: rowsSha256 }),
    walk_forward: compareEstimates(rows, estimates, incumbent),
    created_at: createdAt,
  };
}

/**
 * Estimates each set by coefficients that were fitted on other events, by nested cross-validation.
 * @returns one distribution per set, aligned with them
 */
export function* estimateOutOfFold(sets: readonly ResolvedSet[], prior: Coefficients): Steps<number[][]> {
  const order = canonicalOrder(sets);
  const rows = order.map(index => trainingRow(at(sets, index), estimateMethod));
  const estimates = yield* crossValidate(rows, prior);
  const places = new Map(order.map((index, place) => [index, place]));
  return sets.map((_, index) => at(estimates, places.get(index) ?? -1));
}

/** The coefficients with the λ that cross-validation chooses. */
export function* fitShrunken(
  rows: readonly TrainingRow[],
  prior: Coefficients,
): Steps<Pick<Weights, 'coefficients' | 'prior' | 'lambda'>> {
  const lambda = yield* chooseLambda(rows, prior);
  return { coefficients: publishedCoefficients(fitCoefficients(rows, { prior, lambda })), prior, lambda };
}

export function trainedOn(
  rows: readonly TrainingRow[],
  source: Pick<TrainedOn, 'until' | 'rows_sha256'>,
): TrainedOn {
  return { events: new Set(rows.map(({ event }) => event)).size, rows: rows.length, ...source };
}
