import { type CouncilModel, councilModels } from './models.js';
import { seededShuffle } from './seeded-shuffle.js';

/**
 * The order in which one reader sees the members' answers: the first is A, the second B. A reviewer never sees its
 * own, and each reviewer has an order of its own, so that favour for the first-shown cancels out. The chairman
 * (`synthesis`) sees all. Follows from the report's stored seed alone.
 */
export function reviewOrder(
  seed: string,
  reader: CouncilModel | 'synthesis',
  candidates: readonly CouncilModel[],
): CouncilModel[] {
  const others = councilModels.filter(model => model !== reader && candidates.includes(model));
  return seededShuffle(`${seed}/${reader}`, others);
}
