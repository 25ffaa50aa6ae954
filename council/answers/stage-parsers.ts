import { z } from 'zod';
import { reviewLabels } from '../deliberation/review-order.js';
import type {
  Critique,
  CrossReview,
  Opinion,
  OutcomeProbability,
  Synthesis,
} from '../deliberation/stages.js';
import { distributionSumTolerancePercent } from '../method.js';
import type { CouncilModel } from '../models.js';
import { atLeast, roundTo, sum } from '../numbers.js';
import {
  critiqueMaxChars,
  listItemMaxChars,
  listItemsMax,
  problemsMax,
  rationaleMaxChars,
  summaryMaxChars,
} from '../text.js';
import { type Parsed, parseAnswer } from './parse-answer.js';

export interface DistributionRule {
  /** The exact names that an answer may use. */
  readonly outcomes: readonly string[];
  readonly exclusive: boolean;
}

/** A JSON number. A quoted number is rejected, not converted. */
const percentPart = z.number().min(0).max(100);

/** Rejects 0.7 for "70 % sure": a value between 0 and 1 is a misread scale, not a confidence. */
const confidencePart = percentPart.refine(percent => percent === 0 || percent >= 1, {
  error: 'must be a percent from 0 to 100, not a fraction',
});

const distributionPart = z.array(z.object({ outcome: z.string(), probability: percentPart }));

const listPart = z.array(z.string().trim().min(1).max(listItemMaxChars)).max(listItemsMax);

/**
 * Parses a stage 1 answer. Probabilities are kept as given, not normalised, in the order of the event's
 * outcomes. Invalid content is reported as a problem and never replaced by a default number.
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
 * Parses a stage 2 answer and replaces its letters by members. The ranking must contain every letter exactly
 * once; critiques may omit letters.
 *
 * @param order the order in which the reviewer saw the answers, from `reviewOrder`
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
      critiques: review.critiques.flatMap(({ label, ...critique }): Critique[] =>
        membersOf(label).map(model => ({ model, ...critique })),
      ),
      revisedDistribution: orderedAs(rule.outcomes, review.revised_distribution),
      revisedConfidence: review.revised_confidence,
    },
  };
}

const critiqueText = z.string().trim().max(critiqueMaxChars);

const crossReviewShape = z.object({
  ranking: z.array(z.string()),
  critiques: z.array(z.object({ label: z.string(), strengths: critiqueText, weaknesses: critiqueText })),
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

/** Parses a stage 3 answer, which is text only. Additional fields are dropped. */
export function parseSynthesis(text: string): Parsed<Synthesis> {
  const answer = parseAnswer(text, synthesisShape);
  if (!answer.ok) return answer;
  const { key_uncertainties: keyUncertainties, ...texts } = answer.value;
  return { ok: true, value: { ...texts, keyUncertainties } };
}

const synthesisShape = z.object({
  summary: z.string().trim().min(1).max(summaryMaxChars),
  agreements: listPart,
  disagreements: listPart,
  key_uncertainties: listPart,
});

/** Puts the entries in the order of the outcomes: a model's own order could reveal its identity. */
export function orderedAs(
  outcomes: readonly string[],
  distribution: readonly OutcomeProbability[],
): OutcomeProbability[] {
  return [...distribution].sort((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
}

/**
 * Lists what is wrong with a distribution: unknown, repeated or missing outcomes, fractions instead of
 * percents, or a sum other than 100 ± 2. Empty if it can be pooled.
 */
export function distributionProblems(
  field: string,
  distribution: readonly OutcomeProbability[],
  { outcomes, exclusive }: DistributionRule,
): string[] {
  const given = distribution.map(({ outcome }) => outcome);
  const unknown = given.filter(outcome => !outcomes.includes(outcome)).length;
  const repeated = outcomes.filter(outcome => given.indexOf(outcome) !== given.lastIndexOf(outcome));
  const missing = outcomes.filter(outcome => !given.includes(outcome));
  const names = [
    ...(unknown > 0 ? [`${field}: ${unknown} of its outcomes are not outcomes of this event`] : []),
    ...repeated.map(outcome => `${field}: outcome ${JSON.stringify(outcome)} appears more than once`),
    ...missing.map(outcome => `${field}: outcome ${JSON.stringify(outcome)} is missing`),
  ];
  if (names.length > 0) return names;
  const numbers = distribution.map(({ probability }) => probability);
  return exclusive ? sumProblems(field, numbers) : fractionProblems(field, numbers);
}

function sumProblems(field: string, percents: readonly number[]): string[] {
  const total = sum(percents);
  if (atLeast(distributionSumTolerancePercent, Math.abs(total - 100))) return [];
  if (atLeast(distributionSumTolerancePercent / 100, Math.abs(total - 1))) return [fractions(field)];
  return [`${field}: its probabilities add up to ${roundTo(total, 1)}, not to 100`];
}

/** On independent questions the sum does not reveal fractions, but values of at most 1 throughout do. */
function fractionProblems(field: string, percents: readonly number[]): string[] {
  const suspect = percents.every(percent => percent <= 1) && percents.some(percent => percent % 1 !== 0);
  return suspect ? [`${fractions(field)}; write a percent below 1 as 0 or 1`] : [];
}

function fractions(field: string): string {
  return `${field}: its probabilities look like fractions; they must be percents from 0 to 100`;
}
