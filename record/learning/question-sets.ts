import { consensus, twoSides } from '../../council/conclusion/consensus.js';
import { hasQuorum } from '../../council/deliberation/members.js';
import { estimate, type FormulaWeights } from '../../council/estimate/estimate.js';
import type { Steps } from '../../council/estimate/steps.js';
import { at } from '../../council/numbers.js';
import type { Coefficients } from '../../council/report.js';
import type { ResolvedQuestion } from './evaluate.js';
import { estimateOutOfFold } from './fit-weights.js';
import type { ResolvedSet } from './resolved-sets.js';

/** A yes/no question as a set of two outcomes, YES first. Null without a price or a council. */
export function questionSet(question: ResolvedQuestion): ResolvedSet | null {
  const { id, event, outcome, market, forecasts } = question;
  const given = forecasts.filter(p => p !== null);
  if (market === null || !hasQuorum(given)) return null;
  const members = given.map(bothSides);
  const council = consensus(
    twoSides,
    members.map(fractions => ({ fractions })),
  );
  return {
    event: event ?? id,
    happened: outcome === 1 ? 0 : 1,
    market: bothSides(market),
    council: council.fractions,
    members,
  };
}

function bothSides(yes: number): readonly [yes: number, no: number] {
  return [yes, 1 - yes];
}

/** One probability of YES (0..1) per question; null without a price or a council. */
export type QuestionEstimates = readonly (number | null)[];

export function estimateQuestions(
  questions: readonly ResolvedQuestion[],
  weights: FormulaWeights,
): QuestionEstimates {
  return questions.map(question => {
    const set = questionSet(question);
    return set === null ? null : at(estimate(set, weights), 0);
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
  return sets.map(set => (set === null ? null : at(at(estimates, place++), 0)));
}
