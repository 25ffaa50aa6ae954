import type { CouncilModel } from '../models.js';
import type { DropoutKind } from './members.js';
import type { ProgressStage } from './stages.js';

/** What happens in a run, as those who follow it see it. The end is not among it. No number and no text of a member. */
export type RunEvent =
  | { readonly event: 'stage.started'; readonly stage: StreamStage; readonly of: number }
  | { readonly event: 'member.answered'; readonly stage: ProgressStage; readonly model: CouncilModel }
  | {
      readonly event: 'member.lost';
      readonly stage: ProgressStage;
      readonly model: CouncilModel;
      readonly kind: DropoutKind;
    };

export type StreamStage = ProgressStage | 'conclusion';
