import type { DeliberationView, OpinionView } from '../../../contract/deliberation.js';

export interface FinalDistribution {
  readonly model: OpinionView['model'];
  readonly distribution: OpinionView['distribution'];
}

/** Each member's last word: the revised distribution, or the first one where its review was lost. */
export function finalDistributions(deliberation: DeliberationView | null): FinalDistribution[] {
  if (deliberation === null) return [];
  const { opinions, cross_review: review } = deliberation;
  return opinions.map(({ model, distribution }) => ({
    model,
    distribution: review.reviews.find(each => each.model === model)?.revised_distribution ?? distribution,
  }));
}
