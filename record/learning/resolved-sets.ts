import { type EstimateInput, featuresOf } from '../../council/estimate/estimate.js';
import type { TrainingRow } from '../../council/estimate/fit-coefficients.js';
import type { EstimateMethod } from '../../council/method.js';
import { at } from '../../council/numbers.js';
import { compareText } from '../../council/text.js';

/** A set of outcomes of which exactly one has happened, with what was known before. */
export interface ResolvedSet extends EstimateInput {
  /** Sets of one event are one piece of evidence. */
  readonly event: string;
  /** Index of the outcome that happened. */
  readonly happened: number;
}

/** A resolved set with its times (ISO 8601, UTC, as `Date.toISOString` writes them, so that texts order as times). */
export interface TimedSet extends ResolvedSet {
  /** When the forecast was made. */
  readonly madeAt: string;
  /** When its outcome became known. */
  readonly resolvedAt: string;
}

/**
 * One line per set, in an order that does not depend on how they were read: the text whose SHA-256 names the rows that
 * weights were trained on.
 */
export function canonicalRows(sets: readonly ResolvedSet[]): string {
  return sets.map(canonicalRow).sort(compareText).join('\n');
}

/**
 * The indices of the sets in the order of `canonicalRows`: fitting adds up in this order, so that the order of reading
 * does not change a bit of the result.
 */
export function canonicalOrder(sets: readonly ResolvedSet[]): number[] {
  const texts = sets.map(canonicalRow);
  return [...texts.keys()].sort((a, b) => compareText(at(texts, a), at(texts, b)));
}

export function trainingRow(set: ResolvedSet, kind: EstimateMethod): TrainingRow {
  return { event: set.event, features: featuresOf(set, kind), happened: set.happened };
}

function canonicalRow({ event, happened, market, council, members }: ResolvedSet): string {
  return JSON.stringify([event, happened, market, council, members]);
}
