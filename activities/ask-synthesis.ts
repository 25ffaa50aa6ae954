import { synthesisSchema } from '../council/answer-schemas.js';
import { consensus } from '../council/consensus.js';
import { memberForecasts } from '../council/member-forecasts.js';
import { parseSynthesis } from '../council/parse-synthesis.js';
import { reviewOrder } from '../council/review-order.js';
import { synthesisPrompt } from '../council/synthesis-prompt.js';
import { answersOf } from './answers-of.js';
import { askModel } from './ask-model.js';
import type { AskingDependencies } from './dependencies.js';
import type { Answered, SynthesisCall } from './report-activities.js';

/** Stage 3: the chairman puts into words what the numbers, already settled, and the members say. */
export async function askSynthesis(deps: AskingDependencies, call: SynthesisCall): Promise<Answered> {
  return askModel(deps, 'synthesis', call, ({ run, brief }) => {
    const stored = run.deliberation;
    const opinions = answersOf(stored.opinions, call.members);
    const reviews = answersOf(stored.reviews, call.reviewers);
    const { percents } = consensus(brief.set.exclusive, memberForecasts(brief.set, opinions, reviews));
    const order = reviewOrder(brief.seed, 'synthesis', call.members);
    return {
      prompt: synthesisPrompt({ ...brief, order, opinions, reviews, consensus: percents }),
      schemaName: 'synthesis',
      schema: synthesisSchema(),
      parse: parseSynthesis,
    };
  });
}
