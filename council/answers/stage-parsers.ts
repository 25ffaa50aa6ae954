import { z } from 'zod';
import { reviewLabels } from '../deliberation/review-order.js';
import type { Critique, CrossReview, Opinion, Synthesis } from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import {
  critiqueMaxChars,
  listItemMaxChars,
  listItemsMax,
  problemsMax,
  rationaleMaxChars,
  summaryMaxChars,
  visibleLine,
  visibleText,
} from '../text.js';
import {
  type DistributionRule,
  distributionProblems,
  ladderFlaws,
  namedDistribution,
} from './distribution.js';
import { type ParsedAnswer, parseAnswer } from './parse-answer.js';

/** A JSON number. A quoted number is rejected, not converted. */
const percentPart = z.number().min(0).max(100);

/**
 * Rejects 0.7 for "70 % sure": a value between 0 and 1 is a misread scale, not a confidence. The other numbers of the
 * answer are then fractions as well.
 */
const confidencePart = percentPart.refine(percent => percent === 0 || percent >= 1, {
  error: 'must be a percent from 0 to 100, not a fraction; give every number of the answer as a percent',
});

const distributionPart = z.array(z.object({ outcome: z.string(), probability: percentPart }));

/** A text of one line, which cannot imitate a line of the report. */
const itemPart = z.string().transform(visibleLine).pipe(z.string().min(1).max(listItemMaxChars));

const longPart = (maxChars: number) =>
  z
    .string()
    .transform(text => visibleText(text).trim())
    .pipe(z.string().min(1).max(maxChars));

const listPart = z.array(itemPart).max(listItemsMax);

/** Facts with the ids of the sources that they cite. */
const factsPart = z
  .array(
    z.object({
      fact: itemPart,
      sources: z.array(z.string().trim()).max(listItemsMax),
    }),
  )
  .max(listItemsMax);

/**
 * Parses a stage 1 answer and replaces its labels by the names of the outcomes. Probabilities are kept as given, not
 * normalised, in the order of the event's outcomes. Invalid content is reported as a problem and never replaced by a
 * default number. A probability that increases along a ladder is a flaw.
 *
 * @param citable the ids of the sources that the member was shown: a fact may cite no other
 */
export function parseOpinion(
  text: string,
  rule: DistributionRule,
  citable: readonly string[] = [],
): ParsedAnswer<Opinion> {
  const answer = parseAnswer(text, opinionShape);
  if (!answer.ok) return answer;
  const { distribution: given, evidence } = answer.value;
  const problems = [
    ...distributionProblems('distribution', given, rule),
    ...citationProblems(
      evidence.flatMap(({ sources }) => sources),
      citable,
    ),
  ];
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  const distribution = namedDistribution(rule.outcomes, given);
  return {
    ok: true,
    value: {
      ...answer.value,
      evidence: evidence.map(({ fact, sources }) => ({ fact, sources: [...new Set(sources)] })),
      distribution,
    },
    flaws: ladderFlaws('distribution', distribution, rule.ladders),
  };
}

const opinionShape = z.object({
  distribution: distributionPart,
  confidence: confidencePart,
  rationale: longPart(rationaleMaxChars),
  evidence: factsPart,
});

/** The problem never quotes an id that was not shown: it is text of the model. */
function citationProblems(cited: readonly string[], citable: readonly string[]): string[] {
  const unknown = cited.filter(id => !citable.includes(id)).length;
  if (unknown === 0) return [];
  return [
    citable.length === 0
      ? 'evidence: no sources were shown, so every "sources" must be empty'
      : `evidence: ${unknown} of its sources are not ids of the sources shown`,
  ];
}

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
): ParsedAnswer<CrossReview> {
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

  const revisedDistribution = namedDistribution(rule.outcomes, review.revised_distribution);
  const membersOf = (label: string): CouncilModel[] => order.filter((_, index) => labels[index] === label);
  return {
    ok: true,
    value: {
      ranking: review.ranking.flatMap(membersOf),
      critiques: review.critiques.flatMap(({ label, ...critique }): Critique[] =>
        membersOf(label).map(model => ({ model, ...critique })),
      ),
      revisedDistribution,
      revisedConfidence: review.revised_confidence,
    },
    flaws: ladderFlaws('revised_distribution', revisedDistribution, rule.ladders),
  };
}

const critiqueText = z.string().transform(visibleLine).pipe(z.string().max(critiqueMaxChars));

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
export function parseSynthesis(text: string): ParsedAnswer<Synthesis> {
  const answer = parseAnswer(text, synthesisShape);
  if (!answer.ok) return answer;
  const { key_uncertainties: keyUncertainties, ...texts } = answer.value;
  return { ok: true, value: { ...texts, keyUncertainties } };
}

const synthesisShape = z.object({
  summary: longPart(summaryMaxChars),
  agreements: listPart,
  disagreements: listPart,
  key_uncertainties: listPart,
});
