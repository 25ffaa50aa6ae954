import type { Dropout } from './dropout.js';
import { type CouncilModel, councilModels } from './models.js';

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
