import { chooseLambda } from '../../council/estimate/cross-validate.js';
import { estimateOf, toVector } from '../../council/estimate/estimate.js';
import { fitCoefficients, type TrainingRow } from '../../council/estimate/fit-coefficients.js';
import type { Steps } from '../../council/estimate/steps.js';
import { at } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import { compareText } from '../../council/text.js';

/** A training row with its times (ISO 8601, UTC, which order as texts). */
export interface TimedRow extends TrainingRow {
  /** When the forecast was made. */
  readonly madeAt: string;
  /** When its outcome became known. */
  readonly resolvedAt: string;
}

/** The time that is walked through is divided into this many blocks, each with as many rows. */
const blocks = 10;

export interface Walk {
  readonly rows: readonly TimedRow[];
  /** One per row. */
  readonly estimates: readonly (readonly number[])[];
}

/**
 * Estimates rows as weekly refits would have: block after block of time, by coefficients fitted to what was resolved
 * before the block began. Rows of the first block, before which nothing was resolved, are left out.
 *
 * @param rows what is estimated; none of it may be known to the prior
 * @param known what may be learnt from: these rows and older ones
 */
export function* walkForward(
  rows: readonly TimedRow[],
  known: readonly TimedRow[],
  prior: Coefficients,
): Steps<Walk> {
  const walked: TimedRow[] = [];
  const estimates: number[][] = [];
  for (const block of blocksOf(rows)) {
    const training = resolvedBefore(block, known);
    if (training.length === 0) continue;
    const lambda = yield* chooseLambda(training, prior);
    const vector = toVector(fitCoefficients(training, { prior, lambda }));
    for (const row of block) {
      walked.push(row);
      estimates.push(estimateOf(row.features, vector));
    }
  }
  return { rows: walked, estimates };
}

/** Blocks of rows by the time at which they were made. Rows made at the same time stay together. */
function blocksOf(rows: readonly TimedRow[]): TimedRow[][] {
  const sorted = [...rows].sort((a, b) => compareText(a.madeAt, b.madeAt));
  const size = Math.ceil(sorted.length / blocks);
  const found: TimedRow[][] = [];
  for (const row of sorted) {
    const block = found.at(-1);
    if (block === undefined || (block.length >= size && block.at(-1)?.madeAt !== row.madeAt))
      found.push([row]);
    else block.push(row);
  }
  return found;
}

/** Leaves out the events of the block: another report of the same event says how it ended. */
function resolvedBefore(block: readonly TimedRow[], known: readonly TimedRow[]): TimedRow[] {
  const begins = at(block, 0).madeAt;
  const events = new Set(block.map(({ event }) => event));
  return known.filter(({ event, resolvedAt }) => resolvedAt < begins && !events.has(event));
}
