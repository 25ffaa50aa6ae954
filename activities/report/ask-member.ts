import { setTimeout as pause } from 'node:timers/promises';
import type { CrossReview } from '../../council/deliberation/stages.js';
import { packOf } from '../../council/evidence/assemble-evidence.js';
import type { CouncilModel } from '../../council/models.js';
import { marketGapQuestion } from '../../council/questions/market-gap-question.js';
import {
  type DeliberationSoFar,
  opinionQuestion,
  reviewQuestion,
  synthesisQuestion,
} from '../../council/questions/stage-questions.js';
import { type Answered, type AskDependencies, askModel } from './ask-model.js';
import type { ModelCall, ReviewCall, SynthesisCall } from './call-model.js';
import type { EndTogether } from './end-together.js';
import { answersOf, type OpenedStage } from './stage-reader.js';

export type { AskDependencies } from './ask-model.js';

/** Stage 1: one model's opinion. */
export async function askOpinion(deps: AskDependencies, call: ModelCall): Promise<Answered> {
  return askModel(deps, 'opinions', call, ({ brief, run: { evidence } }) =>
    opinionQuestion(brief, evidence && packOf(evidence, call.model)),
  );
}

/** Stage 2: one model's review of the others' opinions. */
export async function askReview(deps: AskDependencies, call: ReviewCall): Promise<Answered> {
  return askModel(deps, 'cross_review', call, opened =>
    reviewQuestion(deliberationOf(opened, call.members), call.model),
  );
}

/** The last stage has two calls, which the run waits for together, and which end together (docs/adr/0051). */
export interface LastStageDependencies extends AskDependencies {
  readonly endTogether: EndTogether;
}

/** Stage 3: the chairman's summary. */
export async function askSynthesis(deps: LastStageDependencies, call: SynthesisCall): Promise<Answered> {
  return askModel(deps, 'synthesis', call, afterReviews(synthesisQuestion, call), answered =>
    deps.endTogether(`${call.reportId}`, () => answered),
  );
}

/** Beside stage 3: why the market differs. Asks nothing if it hardly does. */
export async function askMarketGap(deps: LastStageDependencies, call: SynthesisCall): Promise<Answered> {
  return askModel(deps, 'market_gap', call, afterReviews(marketGapQuestion, call), async answered => {
    // The synthesis waits for it no longer than the run, even if its answer cannot be stored.
    const inTime = () => Promise.race([answered, pause(call.budgetMs, undefined, { ref: false })]);
    await deps.endTogether(`${call.reportId}`, inTime).catch(() => undefined);
    return answered;
  });
}

function afterReviews<Question>(
  question: (
    deliberation: DeliberationSoFar,
    reviews: Partial<Record<CouncilModel, CrossReview>>,
    reader: CouncilModel,
  ) => Question,
  { model, members, reviewers }: SynthesisCall,
) {
  return (opened: OpenedStage): Question =>
    question(deliberationOf(opened, members), answersOf(opened.run.deliberation.reviews, reviewers), model);
}

function deliberationOf({ run, brief }: OpenedStage, members: readonly CouncilModel[]): DeliberationSoFar {
  const opinions = answersOf(run.deliberation.opinions, members);
  return { ...brief, members, opinions, found: run.evidence };
}
