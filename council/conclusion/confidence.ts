import type { EvidenceStatus } from '../evidence.js';
import {
  confidenceDegraded,
  confidenceInConflict,
  confidenceMax,
  confidenceSpreadZero,
  confidenceWithoutEvidence,
} from '../method.js';
import { councilModels } from '../models.js';
import { median, roundTo, sum } from '../numbers.js';
import { comparable, distance } from './agreement.js';
import type { MemberForecast } from './consensus.js';

export interface ConfidenceInput {
  readonly exclusive: boolean;
  /** One for each member whose opinion counts. */
  readonly forecasts: readonly Pick<MemberForecast, 'first' | 'firstConfidence'>[];
  /** A member was lost, at the opinions or at the cross-review. */
  readonly degraded: boolean;
  readonly conflict: boolean;
  /** Null if nobody searched. */
  readonly evidence: EvidenceStatus | null;
}

/**
 * How much weight the council's own number deserves, 0..85. Not a probability of being right.
 *
 *     85 · ½ · (agreement + own) · (½ in a degraded report or in conflict with the market) · (0.8 if the search for
 *     evidence found nothing)
 *
 * - agreement: the mean of 1 − distance / 0.5, at least 0, over all six pairs of the four requested members.
 * - own: the median of the four own confidences, so no single member can raise it. A member's own confidence is 100 minus
 *   the width of the range (10th to 90th percentile) in which it expects its probability after a further day of research;
 *   in reports of 1.0.0 it is the member's own statement.
 *
 * Both are taken from the first opinions: once members have read one another, agreement is partly imitation. A member
 * without an opinion agrees with nobody and has no confidence of its own.
 *
 * The loss of a member never raises it, whatever the member would have answered. Without an opinion, three pairs and one
 * own confidence become 0, the lowest that they can be; without a review, they do not change. The lost answer might have
 * put the council in conflict, or taken it out of one, so a loss costs as much as a conflict.
 *
 * The maximum is 85 because the errors of such models correlate at about 0.9: four that agree are worth little more
 * than one (`council/README.md`).
 */
export function confidence(input: ConfidenceInput): number {
  const { exclusive, forecasts, degraded, conflict } = input;
  const firsts = forecasts.map(({ first }) => comparable(exclusive, first));
  const pairs = firsts.flatMap((one, index) =>
    firsts.slice(index + 1).map(other => distance(exclusive, one, other)),
  );
  const agreement = sum(pairs.map(apart => Math.max(0, 1 - apart / confidenceSpreadZero))) / requestedPairs;
  const missing = councilModels.slice(forecasts.length).map(() => 0);
  const own = median([...forecasts.map(({ firstConfidence }) => firstConfidence), ...missing]) / 100;
  const factor = Math.min(degraded ? confidenceDegraded : 1, conflict ? confidenceInConflict : 1);
  const known = input.evidence === 'none' ? confidenceWithoutEvidence : 1;
  return roundTo(((confidenceMax * (agreement + own)) / 2) * factor * known, 1);
}

const requestedPairs = (councilModels.length * (councilModels.length - 1)) / 2;
