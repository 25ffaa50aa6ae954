import { type CouncilModel, councilModels } from '../models.js';
import { seededShuffle } from '../random.js';

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

/** A, B, C…: what the answers are called wherever the names of their authors must not be known. */
export function reviewLabels(order: readonly unknown[]): string[] {
  return order.map((_, index) => String.fromCharCode(firstLabel + index));
}

const firstLabel = 'A'.charCodeAt(0);
