import type { Steps } from '../../council/estimate/steps.js';
import type { WalkForward, Weights } from '../../council/estimate/weights.js';
import { at } from '../../council/numbers.js';
import { verdictEventsMin } from '../figures/record-verdict.js';
import { compareEstimates } from './compare-estimates.js';
import { fitShrunken, trainedOn } from './fit-weights.js';
import { canonicalOrder, type TimedSet, trainingRow } from './resolved-sets.js';
import { type TimedRow, walkForward } from './walk-forward.js';

export interface RefitSets {
  /** The id of the refit and of its weights. */
  readonly id: string;
  /** ISO 8601, UTC. Nothing later is in the sets. */
  readonly cutOff: string;
  readonly sets: readonly TimedSet[];
  /** SHA-256, hex, of `canonicalRows(sets)`. */
  readonly rowsSha256: string;
  /** The weights in force. */
  readonly incumbent: Weights;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** What a refit found. */
export interface Proposal {
  /** Null if there is too little to fit. */
  readonly weights: Weights | null;
  readonly activate: boolean;
  /** One sentence for operators. */
  readonly reason: string;
}

/**
 * Fits weights to the service's own graded reports, shrunk towards those in force and for the same formula, and proposes to activate them only
 * if they are better by more than noise, walking forward in time: the whole 95 % interval of the difference, drawn by
 * event, lies below 0. Only reports whose outcome the incumbent did not know are compared, because it has learnt the
 * others.
 */
export function* refitWeights(input: RefitSets): Steps<Proposal> {
  const { id, cutOff, incumbent, rowsSha256, createdAt } = input;
  const rows = timedRows(input.sets, incumbent.kind);
  yield;
  const incumbentKnew = incumbent.trained_on.until ?? '';
  const unknown = rows.filter(({ resolvedAt }) => resolvedAt >= incumbentKnew);
  if (eventsOf(unknown) < verdictEventsMin) return tooFew(eventsOf(unknown), incumbent);
  const walk = yield* walkForward(unknown, rows, incumbent.coefficients);
  const events = eventsOf(walk.rows);
  if (events < verdictEventsMin) return tooFew(events, incumbent);

  yield;
  const comparison = compareEstimates(walk.rows, walk.estimates, incumbent.coefficients);
  yield;
  const weights: Weights = {
    id,
    kind: incumbent.kind,
    ...(yield* fitShrunken(rows, incumbent.coefficients)),
    trained_on: trainedOn(rows, { until: cutOff, rows_sha256: rowsSha256 }),
    walk_forward: comparison,
    created_at: createdAt,
  };
  const activate = comparison.interval_95 !== null && comparison.interval_95[1] < 0;
  return { weights, activate, reason: verdict(comparison, { events, incumbent, activate }) };
}

function timedRows(sets: readonly TimedSet[], kind: Weights['kind']): TimedRow[] {
  return canonicalOrder(sets).map(index => {
    const set = at(sets, index);
    return { ...trainingRow(set, kind), madeAt: set.madeAt, resolvedAt: set.resolvedAt };
  });
}

function eventsOf(rows: readonly TimedRow[]): number {
  return new Set(rows.map(({ event }) => event)).size;
}

function tooFew(events: number, { id }: Weights): Proposal {
  const reason = `too few events to compare with ${id}: ${events}, at least ${verdictEventsMin} are needed`;
  return { weights: null, activate: false, reason };
}

function verdict(
  { minus_incumbent: difference, interval_95: interval }: WalkForward,
  { events, incumbent, activate }: { events: number; incumbent: Weights; activate: boolean },
): string {
  const range = interval === null ? 'no interval' : `95 %: ${signed(interval[0])} to ${signed(interval[1])}`;
  const figures = `Brier score ${signed(difference)} (${range}) over ${events} events, walking forward`;
  return activate
    ? `better than ${incumbent.id} by more than noise: ${figures}`
    : `not better than ${incumbent.id} by more than noise: ${figures}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}
