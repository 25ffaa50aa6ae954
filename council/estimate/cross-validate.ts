import { at, sum } from '../numbers.js';
import { seededShuffle } from '../random.js';
import type { Coefficients } from '../report.js';
import { estimateOf, toVector, type Vector } from './estimate.js';
import { fitCoefficients, fitTable, type TrainingRow, tableOf } from './fit-coefficients.js';
import type { Steps } from './steps.js';

/** The candidates for λ, from little to much shrinkage. */
export const lambdas = [3, 10, 30, 100, 300] as const;

const folds = 10;

/**
 * Estimates every row with coefficients that were fitted, and with a λ that was chosen, on other events only: nested
 * cross-validation (Varma and Simon 2006). The folds depend on nothing but the names of the events.
 *
 * @returns one distribution per row, aligned with `rows`
 */
export function* crossValidate(rows: readonly TrainingRow[], prior: Coefficients): Steps<number[][]> {
  const vectorOf = yield* fitFolds(rows, function* (training) {
    const lambda = yield* chooseLambda(training, prior);
    return toVector(fitCoefficients(training, { prior, lambda }));
  });
  return rows.map(row => estimateOf(row.features, vectorOf(row)));
}

/**
 * The most shrunken λ whose log loss out of fold is within one standard error of the best one's (Breiman et al. 1984).
 * The score hardly depends on λ, but bets are chosen where the estimate is furthest from the market, so the less it is
 * shrunken, the more they claim. The standard error is that of the difference from the best, by event.
 */
export function* chooseLambda(rows: readonly TrainingRow[], prior: Coefficients): Steps<number> {
  const most = at(lambdas, lambdas.length - 1);
  if (rows.length === 0) return most;
  const vectorsOf = yield* fitFolds(rows, function* (training) {
    const table = tableOf(training);
    const vectors: Vector[] = [];
    for (const lambda of lambdas) {
      vectors.push(toVector(fitTable(table, { prior, lambda })));
      yield;
    }
    return vectors;
  });
  const losses = lambdas.map((_, index) => lossByEvent(rows, row => at(vectorsOf(row), index)));
  const means = losses.map(mean);
  const best = at(losses, means.indexOf(Math.min(...means)));
  const within = lambdas.filter((_, index) => {
    const differences = at(losses, index).map((loss, event) => loss - at(best, event));
    return mean(differences) <= standardError(differences);
  });
  return within.at(-1) ?? most;
}

/**
 * Fits once per fold, on the rows of all other folds. Events stay whole.
 * @returns what was fitted without the event of a row
 */
function* fitFolds<Fitted>(
  rows: readonly TrainingRow[],
  fit: (training: readonly TrainingRow[]) => Steps<Fitted>,
): Steps<(row: TrainingRow) => Fitted> {
  const foldOf = foldsByEvent(rows);
  const fitted: Fitted[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    fitted.push(yield* fit(rows.filter(({ event }) => foldOf.get(event) !== fold)));
  }
  return ({ event }) => at(fitted, foldOf.get(event) ?? -1);
}

function foldsByEvent(rows: readonly TrainingRow[]): ReadonlyMap<string, number> {
  const events = [...new Set(rows.map(({ event }) => event))].sort();
  const shuffled = seededShuffle('council/folds', events);
  return new Map(shuffled.map((event, index) => [event, index % folds]));
}

/** Mean log loss of each event, in the order in which the events first appear. */
function lossByEvent(rows: readonly TrainingRow[], vectorOf: (row: TrainingRow) => Vector): number[] {
  const losses = new Map<string, number[]>();
  for (const row of rows) {
    const loss = -Math.log(at(estimateOf(row.features, vectorOf(row)), row.happened));
    const known = losses.get(row.event);
    if (known === undefined) losses.set(row.event, [loss]);
    else known.push(loss);
  }
  return [...losses.values()].map(mean);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function standardError(values: readonly number[]): number {
  const centre = mean(values);
  const variance = sum(values.map(value => (value - centre) ** 2)) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}
