import { crossReviewSchema, opinionSchema, synthesisSchema } from '../../council/answers/answer-schemas.js';
import { distributionRule } from '../../council/answers/distribution.js';
import type { Parsed } from '../../council/answers/parse-answer.js';
import { parseCrossReview, parseOpinion, parseSynthesis } from '../../council/answers/stage-parsers.js';
import { consensus, memberForecasts } from '../../council/conclusion/consensus.js';
import { reviewLabels, reviewOrder } from '../../council/deliberation/review-order.js';
import type { CrossReview, Opinion, Synthesis } from '../../council/deliberation/stages.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { crossReviewPrompt } from '../../council/prompts/cross-review-prompt.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import { opinionPrompt } from '../../council/prompts/opinion-prompt.js';
import type { Prompt } from '../../council/prompts/prompt.js';
import { synthesisPrompt } from '../../council/prompts/synthesis-prompt.js';
import { simulateAnswer } from '../../providers/simulator/simulate-answer.js';

/** The answers of a council of simulated members, all of whom answered. */
export interface SimulatedCouncil {
  readonly opinions: Readonly<Record<CouncilModel, Opinion>>;
  readonly reviews: Readonly<Record<CouncilModel, CrossReview>>;
  readonly chairman: CouncilModel;
  readonly synthesis: Synthesis;
}

/**
 * Puts an event before the simulated members, stage by stage: the council's own prompts, schemas and parsers, and the
 * simulator's answers. The same event and seed give the same answers.
 */
export function simulateCouncil(brief: BriefInput & { readonly seed: string }): SimulatedCouncil {
  const { set, seed } = brief;
  const { exclusive } = set;
  const rule = distributionRule(set);
  const opinions = ofEachMember(member =>
    answer(member, opinionPrompt({ ...brief, pack: null }), 'opinion', opinionSchema(exclusive), text =>
      parseOpinion(text, rule),
    ),
  );
  const reviews = ofEachMember(member => {
    const order = reviewOrder(seed, member, councilModels);
    const schema = crossReviewSchema(reviewLabels(order), exclusive);
    const prompt = crossReviewPrompt({ ...brief, reviewer: member, order, opinions, evidence: null });
    return answer(member, prompt, 'cross_review', schema, text => parseCrossReview(text, order, rule));
  });
  const [chairman] = councilModels;
  const { percents } = consensus(set, memberForecasts(set, opinions, reviews));
  const order = reviewOrder(seed, 'synthesis', councilModels);
  const prompt = synthesisPrompt({ ...brief, order, opinions, reviews, evidence: null, consensus: percents });
  const synthesis = answer(chairman, prompt, 'synthesis', synthesisSchema(), parseSynthesis);
  return { opinions, reviews, chairman, synthesis };
}

function ofEachMember<Value>(valueOf: (member: CouncilModel) => Value): Record<CouncilModel, Value> {
  return {
    claude: valueOf('claude'),
    gpt: valueOf('gpt'),
    gemini: valueOf('gemini'),
    grok: valueOf('grok'),
  };
}

function answer<Value>(
  member: CouncilModel,
  { user }: Prompt,
  schemaName: string,
  schema: Readonly<Record<string, unknown>>,
  parse: (text: string) => Parsed<Value>,
): Value {
  const parsed = parse(simulateAnswer(member, { user, schemaName, schema }));
  if (parsed.ok) return parsed.value;
  throw new Error(`the simulated ${member} gave an invalid answer: ${parsed.problems.join('; ')}`);
}
