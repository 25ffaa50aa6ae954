import type { Stage } from './deliberation.js';
import type { CouncilModel } from './models.js';

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
