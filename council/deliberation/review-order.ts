import { type CouncilModel, councilModels } from '../models.js';
import { seededShuffle } from '../random.js';

/**
 * The order in which one reader sees the members' answers: the first is A, the second B. A reviewer's own answer
 * has no place in it. Each reviewer has a different order, so that a preference for the first answer cancels
 * out. The chairman (`synthesis`) sees all answers. Depends only on the report's stored seed.
 */
export function reviewOrder(
  seed: string,
  reader: CouncilModel | 'synthesis',
  candidates: readonly CouncilModel[],
): CouncilModel[] {
  const others = councilModels.filter(model => model !== reader && candidates.includes(model));
  return seededShuffle(`${seed}/${reader}`, others);
}

/** A, B, C…: the labels of answers whose authors must stay unknown. */
export function reviewLabels(order: readonly unknown[]): string[] {
  return order.map((_, index) => String.fromCharCode(firstLabel + index));
}

const firstLabel = 'A'.charCodeAt(0);
