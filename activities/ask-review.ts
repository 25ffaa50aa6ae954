import { crossReviewSchema } from '../council/answer-schemas.js';
import { crossReviewPrompt } from '../council/cross-review-prompt.js';
import { parseCrossReview } from '../council/parse-cross-review.js';
import { reviewLabels } from '../council/review-labels.js';
import { reviewOrder } from '../council/review-order.js';
import { answersOf } from './answers-of.js';
import { askModel } from './ask-model.js';
import type { AskingDependencies } from './dependencies.js';
import type { Answered, ReviewCall } from './report-activities.js';

/** Stage 2: one model's review of the others' opinions, without their names, and its second thoughts. */
export async function askReview(deps: AskingDependencies, call: ReviewCall): Promise<Answered> {
  return askModel(deps, 'cross_review', call, ({ run, brief }) => {
    const { opinions } = run.deliberation;
    const order = reviewOrder(brief.seed, call.model, call.members);
    const { outcomes, exclusive } = brief.rule;
    return {
      prompt: crossReviewPrompt({ ...brief, order, opinions: answersOf(opinions, call.members) }),
      schemaName: 'cross_review',
      schema: crossReviewSchema(reviewLabels(order), outcomes, exclusive),
      parse: text => parseCrossReview(text, order, brief.rule),
    };
  });
}
