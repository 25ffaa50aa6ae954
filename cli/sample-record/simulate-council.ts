import { crossReviewSchema, opinionSchema, synthesisSchema } from '../../council/answers/answer-schemas.js';
import { distributionRule } from '../../council/answers/distribution.js';
import type { Parsed } from '../../council/answers/parse-answer.js';
import { parseCrossReview, parseOpinion, parseSynthesis } from '../../council/answers/stage-parsers.js';
import { consensus, memberForecasts } from '../../council/conclusion/consensus.js';
import { reviewLabels, reviewOrder } from '../../council/deliberation/review-order.js';
import type { CrossReview, Opinion, Synthesis } from '../../council/deliberation/stages.js';
import {
  type AssembledEvidence,
  assembleEvidence,
  packOf,
} from '../../council/evidence/assemble-evidence.js';
import type { Research } from '../../council/evidence/research.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { crossReviewPrompt } from '../../council/prompts/cross-review-prompt.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import { opinionPrompt } from '../../council/prompts/opinion-prompt.js';
import type { Prompt } from '../../council/prompts/prompt.js';
import { researchPrompt } from '../../council/prompts/research-prompt.js';
import { synthesisPrompt } from '../../council/prompts/synthesis-prompt.js';
import { simulateAnswer, simulateSearch } from '../../providers/simulator/simulate-answer.js';

/** The answers of a council of simulated members, all of whom answered. */
export interface SimulatedCouncil {
  /** What the searches returned; empty if nobody searched. */
  readonly research: Readonly<Partial<Record<CouncilModel, Research>>>;
  /** Null if nobody searched. */
  readonly found: AssembledEvidence | null;
  readonly opinions: Readonly<Record<CouncilModel, Opinion>>;
  readonly reviews: Readonly<Record<CouncilModel, CrossReview>>;
  readonly chairman: CouncilModel;
  readonly synthesis: Synthesis;
}

/**
 * Puts an event before the simulated members, stage by stage: the council's own prompts, schemas and parsers, and the
 * simulator's answers. The same event and seed give the same answers.
 */
export function simulateCouncil(brief: SimulatedBrief): SimulatedCouncil {
  const { set, seed, searchers } = brief;
  const { exclusive } = set;
  const rule = distributionRule(set);
  const research = researchOf(searchers ?? [], brief);
  const found = searchers && assembleEvidence({ ...brief, research, failures: {} });
  const evidence = found && found.evidence.items;
  const opinions = ofEachMember(member => {
    const pack = found && packOf(found, member);
    const citable = (pack ?? []).map(({ id }) => id);
    return answer(member, opinionPrompt({ ...brief, pack }), 'opinion', opinionSchema(exclusive), text =>
      parseOpinion(text, rule, citable),
    );
  });
  const reviews = ofEachMember(member => {
    const order = reviewOrder(seed, member, councilModels);
    const schema = crossReviewSchema(reviewLabels(order), exclusive);
    const prompt = crossReviewPrompt({ ...brief, reviewer: member, order, opinions, evidence });
    return answer(member, prompt, 'cross_review', schema, text => parseCrossReview(text, order, rule));
  });
  const [chairman] = councilModels;
  const { percents } = consensus(set, memberForecasts(set, opinions, reviews));
  const order = reviewOrder(seed, 'synthesis', councilModels);
  const prompt = synthesisPrompt({ ...brief, order, opinions, reviews, evidence, consensus: percents });
  const synthesis = answer(chairman, prompt, 'synthesis', synthesisSchema(), parseSynthesis);
  return { research, found, opinions, reviews, chairman, synthesis };
}

export interface SimulatedBrief extends BriefInput {
  readonly seed: string;
  /** The members that search; null if nobody does. */
  readonly searchers: readonly CouncilModel[] | null;
}

function researchOf(searchers: readonly CouncilModel[], brief: BriefInput): SimulatedCouncil['research'] {
  const prompt = researchPrompt(brief);
  return Object.fromEntries(
    searchers.map(member => [member, { ...simulateSearch(member, prompt), retrievedAt: brief.asOf }]),
  );
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
