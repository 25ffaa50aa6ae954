import type { Steps } from '../../council/estimate/steps.js';
import type { WalkForward, Weights } from '../../council/estimate/weights.js';
import { at } from '../../council/numbers.js';
import {
  type Challenger,
  evidenceAgainst,
  type Predictions,
  predict,
  type RefitEvidence,
  type TimedRow,
} from './challengers.js';
import { compareEstimates } from './compare-estimates.js';
import { fitChallenger } from './fit-challenger.js';
import { trainedOn } from './fit-weights.js';
import { canonicalOrder, type TimedSet, trainingRow } from './resolved-sets.js';

export interface RefitSets {
  /** The id of the refit and of the challenger that it freezes. */
  readonly id: string;
  /** ISO 8601, UTC. Nothing later is in the sets. */
  readonly cutOff: string;
  readonly sets: readonly TimedSet[];
  /** SHA-256, hex, of `canonicalRows(sets)`. */
  readonly rowsSha256: string;
  /** The weights in force. */
  readonly incumbent: Weights;
  /** Those that were frozen against the incumbent since it came into force, the oldest first. */
  readonly challengers: readonly Challenger[];
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** What a refit found. */
export interface Proposal {
  /** The challenger to freeze or, if `activate` is true, the frozen one to put in force. Null if there is neither. */
  readonly weights: Weights | null;
  readonly activate: boolean;
  readonly evidence: RefitEvidence;
  /** One sentence for operators. */
  readonly reason: string;
}

/** A challenger is activated at this e-value: chance alone ever gives it to 1 in 20 incumbents that are right. */
const eValueMin = 20;

/** Events that challengers must have predicted, and that the one to activate must have learnt from. */
const eventsMin = 120;

/** Events that the first challenger is fitted to. It is shrunken so much that it can lose little. */
const challengerEventsMin = 30;

/**
 * Puts the newest challenger in force if the challengers have predicted the reports made after them so much better
 * than the incumbent that chance does not explain it ({@link evidenceAgainst}). Otherwise it fits a new challenger to
 * the service's own graded reports, shrunk towards the incumbent and for its formula, which predicts the reports of the next weeks.
 */
export function* refitWeights(input: RefitSets): Steps<Proposal> {
  const { incumbent, challengers } = input;
  const rows = timedRows(input.sets, incumbent.kind);
  yield;
  const predictions = predict(rows, challengers);
  const evidence = evidenceAgainst(incumbent.coefficients, predictions);
  const events = eventsOf(rows);
  const winner = challengers.at(-1)?.weights;
  if (winner !== undefined && suffices(evidence, winner)) {
    const reason = `better than ${incumbent.id}: ${described(evidence)}, ${eValueMin} is enough`;
    return { weights: winner, activate: true, evidence, reason };
  }
  if (events < challengerEventsMin) {
    const reason = `too few events to fit a challenger of ${incumbent.id}: ${events}, at least ${challengerEventsMin} are needed`;
    return { weights: null, activate: false, evidence, reason };
  }
  yield;
  const walk = scored(predictions, incumbent);
  yield;
  const weights = challenger(input, rows, walk);
  const needed = `${eValueMin} over ${eventsMin} events or more is needed`;
  const reason = `not yet better than ${incumbent.id}: ${described(evidence)}, ${needed}${difference(walk)}`;
  return { weights, activate: false, evidence, reason };
}

function suffices({ eValue, events }: RefitEvidence, { trained_on }: Weights): boolean {
  return eValue >= eValueMin && events >= eventsMin && trained_on.events >= eventsMin;
}

function challenger(
  { id, cutOff, incumbent, rowsSha256, createdAt }: RefitSets,
  rows: readonly TimedRow[],
  walk: WalkForward | null,
): Weights {
  return {
    id,
    kind: incumbent.kind,
    ...fitChallenger(rows, incumbent.coefficients),
    trained_on: trainedOn(rows, { until: cutOff, rows_sha256: rowsSha256 }),
    walk_forward: walk,
    created_at: createdAt,
  };
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

function scored({ rows, estimates }: Predictions, { coefficients }: Weights): WalkForward | null {
  return rows.length === 0 ? null : compareEstimates(rows, estimates, coefficients);
}

function described({ eValue, events }: RefitEvidence): string {
  return `the challengers have an e-value of ${eValue.toPrecision(3)} over ${events} events`;
}

function difference(walk: WalkForward | null): string {
  if (walk === null) return '';
  const { minus_incumbent, interval_95: interval } = walk;
  const range = interval === null ? 'no interval' : `95 %: ${signed(interval[0])} to ${signed(interval[1])}`;
  return `; Brier score ${signed(minus_incumbent)} (${range})`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}
