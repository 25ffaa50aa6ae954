import { z } from 'zod';
import { confidencePart, distributionPart } from './answer-parts-schema.js';
import type { Critique, CrossReview } from './deliberation.js';
import { type DistributionRule, distributionProblems } from './distribution-problems.js';
import type { CouncilModel } from './models.js';
import { orderedAs } from './ordered-as.js';
import { parseAnswer } from './parse-answer.js';
import type { Parsed } from './parsed.js';
import { reviewLabels } from './review-labels.js';
import { critiqueMaxChars, problemsMax } from './text-limits.js';

/**
 * Reads a stage 2 answer (`contract` §8) and turns its letters back into members. The ranking must name every
 * letter shown exactly once, bare; critiques may leave a letter out.
 *
 * @param order in which the reviewer saw the answers, from `reviewOrder`
 */
export function parseCrossReview(
  text: string,
  order: readonly CouncilModel[],
  rule: DistributionRule,
): Parsed<CrossReview> {
  const answer = parseAnswer(text, crossReviewShape);
  if (!answer.ok) return answer;
  const review = answer.value;
  const labels = reviewLabels(order);
  const problems = [
    ...rankingProblems(review.ranking, labels),
    ...critiqueProblems(
      review.critiques.map(({ label }) => label),
      labels,
    ),
    ...distributionProblems('revised_distribution', review.revised_distribution, rule),
  ];
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };

  const membersOf = (label: string): CouncilModel[] => order.filter((_, index) => labels[index] === label);
  return {
    ok: true,
    value: {
      ranking: review.ranking.flatMap(membersOf),
      critiques: review.critiques.flatMap(({ label, ...words }): Critique[] =>
        membersOf(label).map(model => ({ model, ...words })),
      ),
      revisedDistribution: orderedAs(rule.outcomes, review.revised_distribution),
      revisedConfidence: review.revised_confidence,
    },
  };
}

const words = z.string().trim().max(critiqueMaxChars);

const crossReviewShape = z.object({
  ranking: z.array(z.string()),
  critiques: z.array(z.object({ label: z.string(), strengths: words, weaknesses: words })),
  revised_distribution: distributionPart,
  revised_confidence: confidencePart,
});

function rankingProblems(ranking: readonly string[], labels: readonly string[]): string[] {
  const isPermutation = ranking.length === labels.length && labels.every(label => ranking.includes(label));
  return isPermutation ? [] : [`ranking: must be ${labels.join(', ')} in some order, each exactly once`];
}

function critiqueProblems(given: readonly string[], labels: readonly string[]): string[] {
  const known = given.every(label => labels.includes(label));
  return known && new Set(given).size === given.length
    ? []
    : [`critiques: each label must be one of ${labels.join(', ')}, and none may be repeated`];
}
