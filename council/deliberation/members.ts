import { quorumOpinions } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { type Stage, stages } from './stages.js';

/**
 * Whether enough models gave a valid opinion to form a council.
 * @param atLeast how many the buyer of the report asks for; never fewer than the method needs
 */
export function hasQuorum(members: readonly unknown[], atLeast: number = quorumOpinions): boolean {
  return members.length >= Math.max(quorumOpinions, atLeast);
}

/** Why a model is lost. A closed list, so a vendor's own text never reaches a caller or a history. */
export const dropoutKinds = [
  'rate_limited',
  'timed_out',
  'refused',
  'invalid_answer',
  'unauthorised',
  'unavailable',
] as const;

export type DropoutKind = (typeof dropoutKinds)[number];

/** A call to a model that failed for good. */
export interface FailedCall {
  readonly model: CouncilModel;
  readonly kind: DropoutKind;
  /** Present for a time-out only. */
  readonly waitedSeconds?: number;
  /** Present for an invalid answer only: it was cut off at its length limit, also when it had more room. */
  readonly truncated?: true;
}

/** One model lost at one stage. A search that fails loses no member. */
export interface Dropout extends FailedCall {
  readonly stage: Stage;
}

/** The mark in the details of a failed call whose answer was cut off at its length limit. */
export const truncatedDetail = 'truncated';

/** The text shown in `provider_failures`: {@link dropoutReason} and the stage, built only from the closed list. */
export function dropoutText(dropout: Dropout): string {
  return `${dropoutReason(dropout)} at ${stageName[dropout.stage]}`;
}

const stageName: Record<Stage, string> = {
  opinions: 'opinions',
  cross_review: 'cross-review',
  synthesis: 'synthesis',
};

/** The same without the stage. */
export function dropoutReason({ kind, waitedSeconds, truncated }: FailedCall): string {
  switch (kind) {
    case 'rate_limited':
      return 'rate limited';
    case 'timed_out':
      return waitedSeconds === undefined ? 'timed out' : `timed out after ${waitedSeconds} s`;
    case 'refused':
      return 'refused to answer';
    case 'invalid_answer':
      return truncated ? 'gave an answer that was cut off at its length limit' : 'gave an invalid answer';
    case 'unauthorised':
      return 'was not authorised';
    case 'unavailable':
      return 'was unavailable';
  }
}

/** The reason of the first failure of each lost model. */
export function providerFailures(
  dropouts: readonly Dropout[],
): Readonly<Partial<Record<CouncilModel, string>>> {
  const byStage = [...dropouts].sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
  return Object.fromEntries(
    councilModels.flatMap(model => {
      const first = byStage.find(dropout => dropout.model === model);
      return first ? [[model, dropoutText(first)]] : [];
    }),
  );
}

/**
 * The members in the order in which they are asked to write the synthesis: the council's fixed order, with
 * members already lost at a stage last, because a model that has just failed is likely to fail again.
 */
export function chairmen(
  members: readonly CouncilModel[],
  dropouts: readonly Dropout[] = [],
): CouncilModel[] {
  const lost = new Set(dropouts.map(({ model }) => model));
  const ordered = councilModels.filter(model => members.includes(model));
  return [...ordered.filter(model => !lost.has(model)), ...ordered.filter(model => lost.has(model))];
}
