import { estimate, type FormulaWeights } from '../../council/estimate/estimate.js';
import type { Steps } from '../../council/estimate/steps.js';
import { at } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import { estimateOutOfFold } from './fit-weights.js';
import type { ResolvedQuestion } from './resolved-reports.js';
import type { ResolvedSet } from './resolved-sets.js';

/** Null without a price or a council. */
export function questionSet({
  event,
  happened,
  market,
  council,
  members,
}: ResolvedQuestion): ResolvedSet | null {
  if (market === null || council === null) return null;
  return { event, happened, market, council, members: members.filter(row => row !== null) };
}

/** One distribution per question, over its outcomes; null without a price or a council. */
export type QuestionEstimates = readonly (readonly number[] | null)[];

export function estimateQuestions(
  questions: readonly ResolvedQuestion[],
  weights: FormulaWeights,
): QuestionEstimates {
  return questions.map(question => {
    const set = questionSet(question);
    return set && estimate(set, weights);
  });
}

/** Each question by coefficients that were fitted on the questions of other events. */
export function* estimateQuestionsOutOfFold(
  questions: readonly ResolvedQuestion[],
  prior: Coefficients,
): Steps<QuestionEstimates> {
  const sets = questions.map(questionSet);
  const usable = sets.filter(set => set !== null);
  return alignedEstimates(sets, yield* estimateOutOfFold(usable, prior));
}

/** @param estimates one distribution per set that is not null */
export function alignedEstimates(
  sets: readonly (ResolvedSet | null)[],
  estimates: readonly (readonly number[])[],
): QuestionEstimates {
  let place = 0;
  return sets.map(set => set && at(estimates, place++));
}
