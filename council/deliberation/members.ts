import { quorumOpinions } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { type Stage, stages } from './stages.js';

/** Whether enough models gave a valid opinion for their pool to be a council's. */
export function hasQuorum(members: readonly unknown[]): boolean {
  return members.length >= quorumOpinions;
}

/** Every way a model can be lost. A closed list: a vendor's own words never reach a caller or a history. */
export const dropoutKinds = [
  'rate_limited',
  'timed_out',
  'refused',
  'invalid_answer',
  'unauthorised',
  'unavailable',
] as const;

export type DropoutKind = (typeof dropoutKinds)[number];

/** One model lost at one stage. */
export interface Dropout {
  readonly model: CouncilModel;
  readonly stage: Stage;
  readonly kind: DropoutKind;
  /** How long the model was waited for; only said of a time-out. */
  readonly waitedSeconds?: number;
}

/** The text shown in `provider_failures`, made from the closed list and nothing else. */
export function dropoutText(dropout: Dropout): string {
  return `${describe(dropout)} at ${stageName[dropout.stage]}`;
}

const stageName: Record<Stage, string> = {
  opinions: 'opinions',
  cross_review: 'cross-review',
  synthesis: 'synthesis',
};

function describe({ kind, waitedSeconds }: Dropout): string {
  switch (kind) {
    case 'rate_limited':
      return 'rate limited';
    case 'timed_out':
      return waitedSeconds === undefined ? 'timed out' : `timed out after ${waitedSeconds} s`;
    case 'refused':
      return 'refused to answer';
    case 'invalid_answer':
      return 'gave an invalid answer';
    case 'unauthorised':
      return 'was not authorised';
    case 'unavailable':
      return 'was unavailable';
  }
}

/** For every model lost, why: its first failure, in our own words. */
export function providerFailures(
  dropouts: readonly Dropout[],
): Readonly<Partial<Record<CouncilModel, string>>> {
  const inOrder = [...dropouts].sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
  return Object.fromEntries(
    councilModels.flatMap(model => {
      const first = inOrder.find(dropout => dropout.model === model);
      return first ? [[model, dropoutText(first)]] : [];
    }),
  );
}

/**
 * Who is asked to write the synthesis, in order: the members in the council's fixed order; those already lost at
 * a stage come last, for a model that has just failed may well fail again.
 */
export function chairmen(
  members: readonly CouncilModel[],
  dropouts: readonly Dropout[] = [],
): CouncilModel[] {
  const lost = new Set(dropouts.map(({ model }) => model));
  const seated = councilModels.filter(model => members.includes(model));
  return [...seated.filter(model => !lost.has(model)), ...seated.filter(model => lost.has(model))];
}
