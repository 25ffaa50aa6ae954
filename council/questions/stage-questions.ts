import {
  type AnswerSchema,
  crossReviewSchema,
  opinionSchema,
  synthesisSchema,
} from '../answers/answer-schemas.js';
import { distributionRule } from '../answers/distribution.js';
import type { ParsedAnswer } from '../answers/parse-answer.js';
import { parseCrossReview, parseOpinion, parseSynthesis } from '../answers/stage-parsers.js';
import type { ShownChanges } from '../answers/triggers.js';
import { utcDay } from '../calendar.js';
import { consensus, memberForecasts } from '../conclusion/consensus.js';
import { reviewLabels, reviewOrder } from '../deliberation/review-order.js';
import type { CrossReview, Opinion, Synthesis } from '../deliberation/stages.js';
import { type AssembledEvidence, packOf } from '../evidence/assemble-evidence.js';
import type { EvidenceItem } from '../evidence.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { crossReviewPrompt } from '../prompts/cross-review-prompt.js';
import type { BriefInput } from '../prompts/event-brief.js';
import { opinionPrompt } from '../prompts/opinion-prompt.js';
import type { Prompt } from '../prompts/prompt.js';
import type { ShownSources } from '../prompts/sources.js';
import { synthesisPrompt } from '../prompts/synthesis-prompt.js';

/** What a member is asked at a stage, the form of its answer, and how the answer is read. */
export interface StageQuestion<Answer extends object> {
  readonly prompt: Prompt;
  readonly schemaName: string;
  readonly schema: AnswerSchema;
  readonly parse: (text: string) => ParsedAnswer<Answer>;
}

/** What members have said so far about an event. */
export interface DeliberationSoFar extends BriefInput {
  /** The members whose opinion counts. */
  readonly members: readonly CouncilModel[];
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  /** All evidence of the report, and what each member was shown of it; null if nobody searched. */
  readonly found: AssembledEvidence | null;
}

/**
 * Stage 1: an opinion, formed without prices and without the other answers.
 * @param pack what the member is shown and may cite; null if nobody searched
 */
export function opinionQuestion(
  brief: BriefInput,
  pack: readonly EvidenceItem[] | null,
): StageQuestion<Opinion> {
  const rule = distributionRule(brief.set);
  const shown = { citable: (pack ?? []).map(({ id }) => id), today: utcDay(new Date(brief.asOf)) };
  return {
    prompt: opinionPrompt({ ...brief, pack }),
    schemaName: 'opinion',
    schema: opinionSchema(rule.exclusive),
    parse: text => parseOpinion(text, rule, shown),
  };
}

/** Stage 2: a review of the others' anonymised opinions, and the revision of the reviewer's own. */
export function reviewQuestion(
  deliberation: DeliberationSoFar,
  reviewer: CouncilModel,
): StageQuestion<CrossReview> {
  const rule = distributionRule(deliberation.set);
  const order = reviewOrder(deliberation.seed, reviewer, deliberation.members);
  return {
    prompt: crossReviewPrompt({ ...deliberation, ...sourcesOf(deliberation, reviewer), reviewer, order }),
    schemaName: 'cross_review',
    schema: crossReviewSchema(reviewLabels(order), rule.exclusive),
    parse: text => parseCrossReview(text, order, rule),
  };
}

/** Stage 3: a summary of the opinions, the reviews and the computed consensus, by the chairman. */
export function synthesisQuestion(
  deliberation: DeliberationSoFar,
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
  chairman: CouncilModel,
): StageQuestion<Synthesis> {
  const { set, seed, members, opinions } = deliberation;
  const order = reviewOrder(seed, 'synthesis', members);
  const { percents } = consensus(set, memberForecasts(set, opinions, reviews));
  return {
    prompt: synthesisPrompt({
      ...deliberation,
      ...sourcesOf(deliberation, chairman),
      order,
      reviews,
      consensus: percents,
    }),
    schemaName: 'synthesis',
    schema: synthesisSchema(),
    parse: text => parseSynthesis(text, shownChanges(order, deliberation)),
  };
}

/** The sources of a report as one member reads them: its own pack first, at every stage. */
export function sourcesOf({ found }: Pick<DeliberationSoFar, 'found'>, reader: CouncilModel): ShownSources {
  return { evidence: found && found.evidence.items, pack: found && packOf(found, reader) };
}

/** What the members say would change their forecasts, by the ids that the chairman sees. */
function shownChanges(
  order: readonly CouncilModel[],
  { opinions, asOf }: Pick<DeliberationSoFar, 'opinions' | 'asOf'>,
): ShownChanges {
  const answers = reviewLabels(order).map((label, index) => ({ label, model: at(order, index) }));
  const changes = answers.flatMap(({ label, model }) =>
    (opinions[model]?.grounds?.wouldChange ?? []).map(
      (_, change) => [`${label}${change + 1}`, { model, change }] as const,
    ),
  );
  return {
    changes: new Map(changes),
    answers: new Map(answers.map(({ label, model }) => [label, model])),
    today: utcDay(new Date(asOf)),
  };
}
