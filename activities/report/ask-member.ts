import { packOf } from '../../council/evidence/assemble-evidence.js';
import type { CouncilModel } from '../../council/models.js';
import {
  type DeliberationSoFar,
  opinionQuestion,
  reviewQuestion,
  synthesisQuestion,
} from '../../council/questions/stage-questions.js';
import { type Answered, type AskDependencies, askModel } from './ask-model.js';
import type { ModelCall, ReviewCall, SynthesisCall } from './call-model.js';
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

/** Stage 3: the chairman's summary. */
export async function askSynthesis(deps: AskDependencies, call: SynthesisCall): Promise<Answered> {
  return askModel(deps, 'synthesis', call, opened =>
    synthesisQuestion(
      deliberationOf(opened, call.members),
      answersOf(opened.run.deliberation.reviews, call.reviewers),
      call.model,
    ),
  );
}

function deliberationOf({ run, brief }: OpenedStage, members: readonly CouncilModel[]): DeliberationSoFar {
  const opinions = answersOf(run.deliberation.opinions, members);
  return { ...brief, members, opinions, found: run.evidence };
}
