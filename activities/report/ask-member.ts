import { crossReviewSchema, opinionSchema, synthesisSchema } from '../../council/answers/answer-schemas.js';
import { parseCrossReview, parseOpinion, parseSynthesis } from '../../council/answers/stage-parsers.js';
import { consensus, memberForecasts } from '../../council/conclusion/consensus.js';
import { reviewLabels, reviewOrder } from '../../council/deliberation/review-order.js';
import { packOf } from '../../council/evidence/assemble-evidence.js';
import { crossReviewPrompt } from '../../council/prompts/cross-review-prompt.js';
import { opinionPrompt } from '../../council/prompts/opinion-prompt.js';
import { synthesisPrompt } from '../../council/prompts/synthesis-prompt.js';
import { type Answered, type AskDependencies, askModel } from './ask-model.js';
import type { ModelCall, ReviewCall, SynthesisCall } from './call-model.js';
import { answersOf } from './stage-reader.js';

export type { AskDependencies } from './ask-model.js';

/** Stage 1: one model's opinion, formed without prices and without the other answers. */
export async function askOpinion(deps: AskDependencies, call: ModelCall): Promise<Answered> {
  return askModel(deps, 'opinions', call, ({ brief, found }) => {
    const pack = found && packOf(found, call.model);
    const citable = (pack ?? []).map(({ id }) => id);
    return {
      prompt: opinionPrompt({ ...brief, pack }),
      schemaName: 'opinion',
      schema: opinionSchema(brief.rule.exclusive),
      parse: text => parseOpinion(text, brief.rule, citable),
    };
  });
}

/** Stage 2: one model's review of the others' anonymised opinions, and the revision of its own. */
export async function askReview(deps: AskDependencies, call: ReviewCall): Promise<Answered> {
  return askModel(deps, 'cross_review', call, ({ run, brief, found }) => {
    const { opinions } = run.deliberation;
    const order = reviewOrder(brief.seed, call.model, call.members);
    return {
      prompt: crossReviewPrompt({
        ...brief,
        reviewer: call.model,
        order,
        opinions: answersOf(opinions, call.members),
        evidence: found?.evidence.items ?? null,
      }),
      schemaName: 'cross_review',
      schema: crossReviewSchema(reviewLabels(order), brief.rule.exclusive),
      parse: text => parseCrossReview(text, order, brief.rule),
    };
  });
}

/** Stage 3: the chairman summarises the opinions, the reviews and the computed consensus. */
export async function askSynthesis(deps: AskDependencies, call: SynthesisCall): Promise<Answered> {
  return askModel(deps, 'synthesis', call, ({ run, brief, found }) => {
    const stored = run.deliberation;
    const opinions = answersOf(stored.opinions, call.members);
    const reviews = answersOf(stored.reviews, call.reviewers);
    const { percents } = consensus(brief.set, memberForecasts(brief.set, opinions, reviews));
    const order = reviewOrder(brief.seed, 'synthesis', call.members);
    return {
      prompt: synthesisPrompt({
        ...brief,
        order,
        opinions,
        reviews,
        evidence: found?.evidence.items ?? null,
        consensus: percents,
      }),
      schemaName: 'synthesis',
      schema: synthesisSchema(),
      parse: parseSynthesis,
    };
  });
}
