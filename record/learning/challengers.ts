import { estimateOf, toVector } from '../../council/estimate/estimate.js';
import type { TrainingRow } from '../../council/estimate/fit-coefficients.js';
import type { Weights } from '../../council/estimate/weights.js';
import { at, sum } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import { compareText } from '../../council/text.js';

/** Weights that were fitted, stored, and not put in force. */
export interface Challenger {
  readonly weights: Weights;
  /** ISO 8601, UTC. It knows no outcome of a report that was made later. */
  readonly frozenAt: string;
}

/** A training row with its times (ISO 8601, UTC, which order as texts). */
export interface TimedRow extends TrainingRow {
  /** When the forecast was made. */
  readonly madeAt: string;
  /** When its outcome became known. */
  readonly resolvedAt: string;
}

/** Rows with the estimates that challengers made of them before the outcomes were known. */
export interface Predictions {
  readonly rows: readonly TimedRow[];
  /** One per row. */
  readonly estimates: readonly (readonly number[])[];
}

/**
 * Estimates each row by the newest challenger that was frozen before the report was made. Older rows are left out.
 * @param challengers in any order
 */
export function predict(rows: readonly TimedRow[], challengers: readonly Challenger[]): Predictions {
  const newestFirst = [...challengers]
    .sort((a, b) => compareText(b.frozenAt, a.frozenAt))
    .map(({ weights, frozenAt }) => ({ frozenAt, vector: toVector(weights.coefficients) }));
  const predicted = rows.flatMap(row => {
    const challenger = newestFirst.find(({ frozenAt }) => frozenAt < row.madeAt);
    return challenger === undefined ? [] : [{ row, estimate: estimateOf(row.features, challenger.vector) }];
  });
  return { rows: predicted.map(({ row }) => row), estimates: predicted.map(({ estimate }) => estimate) };
}

/** What the predictions of challengers show against the weights in force. */
export interface RefitEvidence {
  /** See {@link evidenceAgainst}. 1 shows nothing; below 1, the incumbent predicted better. */
  readonly eValue: number;
  /** The events that it is the product over. */
  readonly events: number;
}

/**
 * The likelihood ratio of the challengers against the incumbent:
 *
 *     Π over events of the geometric mean over its rows of p_challenger(what happened) / p_incumbent(what happened)
 *
 * It is an e-process: if the incumbent's probabilities are right, the probability that it ever reaches 1/α is at most α,
 * however often it is looked at, and the refit looks every week.
 *
 * Proof. 1. A challenger is stored before the report is made, so its probabilities are known before the outcome. If
 * the incumbent is right, the expected ratio of a row is Σ p_incumbent · p_challenger / p_incumbent = 1. 2. The
 * geometric mean over the rows of an event is at most their mean, whose expectation is 1, however the rows depend on
 * each other. 3. Given that events are independent of each other, the product is a supermartingale that begins with 1,
 * and Ville's inequality (1939) holds.
 *
 * The challengers are tested as one forecaster, "the newest fit", so there is one product, and no best of many to pay
 * for (the plug-in e-process of Dawid 1984; Ramdas et al. 2023). What was frozen early has learnt little and is shrunken
 * most, so it costs little.
 */
export function evidenceAgainst(incumbent: Coefficients, { rows, estimates }: Predictions): RefitEvidence {
  const vector = toVector(incumbent);
  const ratios = new Map<string, number[]>();
  for (const [index, { event, features, happened }] of rows.entries()) {
    const ratio = Math.log(at(at(estimates, index), happened) / at(estimateOf(features, vector), happened));
    ratios.set(event, [...(ratios.get(event) ?? []), ratio]);
  }
  const logs = [...ratios.values()].map(each => sum(each) / each.length);
  return { eValue: Math.exp(sum(logs)), events: ratios.size };
}
