import type { CrossReview, Opinion, OutcomeProbability } from './deliberation.js';
import { type CouncilModel, councilModels } from './models.js';
import type { OutcomeSet } from './outcome-set.js';

/** What one member thinks in the end. */
export interface MemberForecast {
  readonly model: CouncilModel;
  /** Probabilities (0..1) aligned with the outcomes, as the member gave them: not normalised, not clamped. */
  readonly fractions: readonly number[];
  /** The same of its first opinion, before it had read the others. */
  readonly first: readonly number[];
  /** 0..100, the member's own. */
  readonly confidence: number;
}

/**
 * The forecasts that are pooled, one a member, in the council's fixed order: the revised one, or the original
 * where the review failed.
 * @throws RangeError when a stored answer leaves an outcome out: never a default number
 */
export function memberForecasts(
  set: OutcomeSet,
  opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>,
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
): MemberForecast[] {
  return councilModels.flatMap(model => {
    const opinion = opinions[model];
    if (!opinion) return [];
    const review = reviews[model];
    const distribution = review?.revisedDistribution ?? opinion.distribution;
    const confidence = review?.revisedConfidence ?? opinion.confidence;
    const aligned = (given: readonly OutcomeProbability[]) =>
      set.outcomes.map(({ name }) => fractionOf(name, given));
    return [{ model, fractions: aligned(distribution), first: aligned(opinion.distribution), confidence }];
  });
}

function fractionOf(name: string, distribution: readonly OutcomeProbability[]): number {
  const given = distribution.find(({ outcome }) => outcome === name);
  if (!given) throw new RangeError('a distribution leaves out an outcome of the event');
  return given.probability / 100;
}
