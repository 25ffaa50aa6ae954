import { type EstimateInput, featuresOf } from '../estimate/estimate.js';
import type { TrainingRow } from '../estimate/fit-coefficients.js';
import { compareText } from '../text.js';

/** A set of outcomes of which exactly one has happened, with what was known before. */
export interface ResolvedSet extends EstimateInput {
  /** Sets of one event are one piece of evidence. */
  readonly event: string;
  /** Index of the outcome that happened. */
  readonly happened: number;
}

/**
 * One line per set, in an order that does not depend on how they were read: the text whose SHA-256 names the rows that
 * weights were trained on.
 */
export function canonicalRows(sets: readonly ResolvedSet[]): string {
  return sets.map(canonicalRow).sort(compareText).join('\n');
}

/** Training rows in the order of `canonicalRows`, so that the order of reading does not change a bit of a fit. */
export function trainingRows(sets: readonly ResolvedSet[]): TrainingRow[] {
  return sets
    .map(set => ({ set, text: canonicalRow(set) }))
    .sort((a, b) => compareText(a.text, b.text))
    .map(({ set }) => ({ event: set.event, features: featuresOf(set), happened: set.happened }));
}

function canonicalRow({ event, happened, market, council, members }: ResolvedSet): string {
  return JSON.stringify([event, happened, market, council, members]);
}
