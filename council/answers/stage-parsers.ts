import { z } from 'zod';
import { reviewLabels } from '../deliberation/review-order.js';
import type { Critique, CrossReview, MarketGapReasons, Opinion, Synthesis } from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import {
  critiqueMaxChars,
  listItemsMax,
  marketGapAskedWords,
  marketGapMaxChars,
  marketGapMaxWords,
  problemsMax,
  rationaleMaxChars,
  summaryMaxChars,
  visibleLine,
} from '../text.js';
import {
  type DistributionRule,
  distributionProblems,
  ladderFlaws,
  namedDistribution,
} from './distribution.js';
import { confidenceOf, readGrounds, type ShownWithQuestion } from './grounds.js';
import { type ParsedAnswer, parseAnswer } from './parse-answer.js';
import { idsPart, itemPart, listPart, longPart, percentPart } from './parts.js';
import { readTriggers, type ShownChanges } from './triggers.js';

/**
 * Rejects 0.7 for "70 % sure": a value between 0 and 1 is a misread scale, not a confidence. The other numbers of the
 * answer are then fractions as well.
 */
const confidencePart = percentPart.refine(percent => percent === 0 || percent >= 1, {
  error: 'must be a percent from 0 to 100, not a fraction; give every number of the answer as a percent',
});

const distributionPart = z.array(z.object({ outcome: z.string(), probability: percentPart }));

/** Facts with the ids of the sources that they cite. */
const factsPart = z
  .array(
    z.object({
      fact: itemPart,
      sources: idsPart,
    }),
  )
  .max(listItemsMax);

/**
 * Parses a stage 1 answer and replaces its labels by the names of the outcomes. Probabilities are kept as given, not
 * normalised, in the order of the event's outcomes. Invalid content is reported as a problem and never replaced by a
 * default number. A probability that increases along a ladder is a flaw, and so is a part of the grounds that is
 * invalid: the forecast is used without it. The confidence follows from the range.
 */
export function parseOpinion(
  text: string,
  rule: DistributionRule,
  shown: ShownWithQuestion,
): ParsedAnswer<Opinion> {
  const answer = parseAnswer(text, opinionShape);
  if (!answer.ok) return answer;
  const { distribution: given, confidence, rationale, evidence, ...parts } = answer.value;
  const problems = [
    ...distributionProblems('distribution', given, rule),
    ...citationProblems(
      evidence.flatMap(({ sources }) => sources),
      shown.citable,
    ),
  ];
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  const distribution = namedDistribution(rule.outcomes, given);
  const { grounds, flaws } = readGrounds(parts, distribution, rule, shown);
  const { range } = grounds;
  return {
    ok: true,
    value: {
      distribution,
      confidence: range === null ? confidence : confidenceOf(range),
      rationale,
      evidence,
      grounds,
    },
    flaws: [...ladderFlaws('distribution', distribution, rule.ladders), ...flaws],
  };
}

const opinionShape = z.object({
  distribution: distributionPart,
  confidence: confidencePart,
  rationale: longPart(rationaleMaxChars),
  evidence: factsPart,
  rule: z.unknown().optional(),
  resolution_risk: z.unknown().optional(),
  base_rates: z.unknown().optional(),
  outside_view: z.unknown().optional(),
  range: z.unknown().optional(),
  would_change: z.unknown().optional(),
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

/**
 * Parses a stage 3 answer, which is text only. Additional fields are dropped. A trigger that is invalid is a flaw, and is
 * left out; without any triggers the synthesis is as good.
 */
export function parseSynthesis(text: string, shown: ShownChanges): ParsedAnswer<Synthesis> {
  const answer = parseAnswer(text, synthesisShape);
  if (!answer.ok) return answer;
  const { key_uncertainties: keyUncertainties, triggers: given, ...texts } = answer.value;
  const { triggers, dropped, flaws } = readTriggers(given, shown);
  return { ok: true, value: { ...texts, keyUncertainties, triggers, dropped }, flaws };
}

const synthesisShape = z.object({
  summary: longPart(summaryMaxChars),
  agreements: listPart,
  disagreements: listPart,
  key_uncertainties: listPart,
  triggers: z.unknown().optional(),
});

/**
 * Parses the answer of the member that explains the distance to the market: two texts, and no number. One that is far too
 * long is a problem and not cut: the member would not have said that.
 */
export function parseMarketGap(text: string): ParsedAnswer<MarketGapReasons> {
  const answer = parseAnswer(text, marketGapShape);
  if (!answer.ok) return answer;
  const { market_may_know: marketMayKnow, council_may_know: councilMayKnow } = answer.value;
  const words = `${marketMayKnow} ${councilMayKnow}`.split(/\s+/).length;
  if (words <= marketGapMaxWords) return { ok: true, value: { marketMayKnow, councilMayKnow } };
  return {
    ok: false,
    problems: [`the two texts have ${words} words together, and may have ${marketGapAskedWords}`],
  };
}

const marketGapShape = z.object({
  market_may_know: longPart(marketGapMaxChars),
  council_may_know: longPart(marketGapMaxChars),
});
