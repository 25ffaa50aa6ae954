import type { CrossReview, MarketGapReasons, Opinion, Synthesis } from '../../council/deliberation/stages.js';
import {
  type AssembledEvidence,
  assembleEvidence,
  packOf,
} from '../../council/evidence/assemble-evidence.js';
import type { Research } from '../../council/evidence/research.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import { researchPrompt } from '../../council/prompts/research-prompt.js';
import { marketGapQuestion } from '../../council/questions/market-gap-question.js';
import {
  opinionQuestion,
  reviewQuestion,
  type StageQuestion,
  synthesisQuestion,
} from '../../council/questions/stage-questions.js';
import { simulateAnswer, simulateSearch } from '../simulate-answer.js';

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
  readonly explainer: CouncilModel;
  /** Why the market differs; null if it hardly does. */
  readonly marketGap: MarketGapReasons | null;
}

/**
 * Puts an event before the simulated members, stage by stage: the council's own questions, and the simulator's
 * answers. The same event and seed give the same answers.
 */
export function simulateCouncil(brief: SimulatedBrief): SimulatedCouncil {
  const { searchers } = brief;
  const research = researchOf(searchers ?? [], brief);
  const found = searchers && assembleEvidence({ ...brief, research, failures: {} });
  const informed = { ...brief, notFound: found?.evidence.not_found };
  const opinions = ofEachMember(member =>
    answer(member, opinionQuestion(informed, found && packOf(found, member))),
  );
  const deliberation = { ...informed, members: councilModels, opinions, found };
  const reviews = ofEachMember(member => answer(member, reviewQuestion(deliberation, member)));
  const [chairman, explainer] = councilModels;
  const synthesis = answer(chairman, synthesisQuestion(deliberation, reviews, chairman));
  const asked = marketGapQuestion(deliberation, reviews, explainer);
  const marketGap = asked && answer(explainer, asked);
  return { research, found, opinions, reviews, chairman, synthesis, explainer, marketGap };
}

export interface SimulatedBrief extends BriefInput {
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

function answer<Answer extends object>(
  member: CouncilModel,
  { prompt: { user }, schemaName, schema, parse }: StageQuestion<Answer>,
): Answer {
  const parsed = parse(simulateAnswer(member, { user, schemaName, schema }));
  if (parsed.ok) return parsed.value;
  throw new Error(`the simulated ${member} gave an invalid answer: ${parsed.problems.join('; ')}`);
}
