import { z } from 'zod';
import { confidencePart, distributionPart, listPart } from './answer-parts-schema.js';
import type { Opinion } from './deliberation.js';
import { type DistributionRule, distributionProblems } from './distribution-problems.js';
import { orderedAs } from './ordered-as.js';
import { parseAnswer } from './parse-answer.js';
import type { Parsed } from './parsed.js';
import { problemsMax, rationaleMaxChars } from './text-limits.js';

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
