import { opinionSchema } from '../council/answer-schemas.js';
import { opinionPrompt } from '../council/opinion-prompt.js';
import { parseOpinion } from '../council/parse-opinion.js';
import { askModel } from './ask-model.js';
import type { AskingDependencies } from './dependencies.js';
import type { Answered, ModelCall } from './report-activities.js';

/** Stage 1: one model's opinion, before it has seen a price or another answer. */
export async function askOpinion(deps: AskingDependencies, call: ModelCall): Promise<Answered> {
  return askModel(deps, 'opinions', call, ({ brief }) => {
    const { outcomes, exclusive } = brief.rule;
    return {
      prompt: opinionPrompt(brief),
      schemaName: 'opinion',
      schema: opinionSchema(outcomes, exclusive),
      parse: text => parseOpinion(text, brief.rule),
    };
  });
}
