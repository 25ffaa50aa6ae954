import { z } from 'zod';
import { reviewLabels } from '../deliberation/review-order.js';
import type {
  Critique,
  CrossReview,
  Opinion,
  OutcomeProbability,
  Synthesis,
} from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import {
  critiqueMaxChars,
  listItemMaxChars,
  listItemsMax,
  problemsMax,
  rationaleMaxChars,
  summaryMaxChars,
} from '../text.js';
import { type DistributionRule, distributionProblems } from './distribution-problems.js';
import { type Parsed, parseAnswer } from './parse-answer.js';

/** The parts of which every answer is made. Numbers are JSON numbers: a quoted one is refused, not converted. */
const percentPart = z.number().min(0).max(100);

/** A model that writes 0.7 for "70 % sure" has misread the scale; nobody is between 0 and 1 % sure. */
const confidencePart = percentPart.refine(percent => percent === 0 || percent >= 1, {
  error: 'must be a percent from 0 to 100, not a fraction',
});

const distributionPart = z.array(z.object({ outcome: z.string(), probability: percentPart }));

const listPart = z.array(z.string().trim().min(1).max(listItemMaxChars)).max(listItemsMax);

/**
 * Reads a stage 1 answer (`contract` §8). Its probabilities are kept as given, not normalised, in the order of the
 * outcomes asked about. What cannot be used is a problem, never a default number.
 */
export function parseOpinion(text: string, rule: DistributionRule): Parsed<Opinion> {
  const answer = parseAnswer(text, opinionShape);
  if (!answer.ok) return answer;
  const problems = distributionProblems('distribution', answer.value.distribution, rule);
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  return {
    ok: true,
    value: { ...answer.value, distribution: orderedAs(rule.outcomes, answer.value.distribution) },
  };
}

const opinionShape = z.object({
  distribution: distributionPart,
  confidence: confidencePart,
  rationale: z.string().trim().min(1).max(rationaleMaxChars),
  evidence: listPart,
});

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

/** Reads a stage 3 answer (`contract` §8): words alone. A number that a chairman adds is dropped unread. */
export function parseSynthesis(text: string): Parsed<Synthesis> {
  const answer = parseAnswer(text, synthesisShape);
  if (!answer.ok) return answer;
  const { key_uncertainties: keyUncertainties, ...words } = answer.value;
  return { ok: true, value: { ...words, keyUncertainties } };
}

const synthesisShape = z.object({
  summary: z.string().trim().min(1).max(summaryMaxChars),
  agreements: listPart,
  disagreements: listPart,
  key_uncertainties: listPart,
});

/** The same entries in the order of the outcomes asked about: the order a model chose would tell who it is. */
export function orderedAs(
  outcomes: readonly string[],
  distribution: readonly OutcomeProbability[],
): OutcomeProbability[] {
  return [...distribution].sort((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
}
