import type { CallStage } from '../../council/deliberation/stages.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { type ModelCatalogue, searchingMembers } from '../../providers/model-catalogue.js';

/** The members that search the web in a run. @param searches whether members search in this run at all */
export function searchersOf(catalogue: ModelCatalogue, searches: boolean): readonly CouncilModel[] {
  return searches ? searchingMembers(catalogue) : [];
}

/** The first stage at which models are called, and how many. Callers see it as the progress from the purchase on. */
export function firstStageOf(searchers: readonly CouncilModel[]): FirstStage {
  return searchers.length === 0
    ? { stage: 'opinions', of: councilModels.length }
    : { stage: 'research', of: searchers.length };
}

interface FirstStage {
  readonly stage: CallStage;
  readonly of: number;
}
