import { reviewLabels } from '../deliberation/review-order.js';
import type { Opinion } from '../deliberation/stages.js';
import type { EvidenceItem } from '../evidence.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { opinionText } from './anonymous-opinion.js';
import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, jsonRule, numberRule, type Prompt, promptOf } from './prompt.js';
import { citedFacts } from './sources.js';

export interface CrossReviewPromptInput extends BriefInput {
  readonly reviewer: CouncilModel;
  /** The order of `reviewOrder`, without the reviewer. */
  readonly order: readonly CouncilModel[];
  /** Those of the others and the reviewer's own. */
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  /** All evidence of the report; null if nobody searches. */
  readonly evidence: readonly EvidenceItem[] | null;
}

/**
 * Stage 2: shows a reviewer its own answer, named as its own, and those of the others under letters. It ranks and
 * criticises the others only. It has to see its own answer, because no vendor's API remembers it: without it, the
 * revision would be a second first forecast.
 */
export function crossReviewPrompt(input: CrossReviewPromptInput): Prompt {
  const { reviewer, order, opinions, set, evidence } = input;
  const labels = reviewLabels(order);
  const own = opinions[reviewer];
  const textOf = (label: string | null, opinion: Opinion) =>
    opinionText(label, opinion, input, evidence !== null);
  const answers = order.flatMap((model, index) => {
    const opinion = opinions[model];
    return opinion ? [textOf(at(labels, index), opinion)] : [];
  });
  return promptOf(system, eventBrief(input), [
    ...(own ? ['This is the answer that you gave first:', textOf(null, own)] : []),
    'Other forecasters answered independently. These are their answers, in no particular order:',
    ...answers,
    ...citedFacts(
      [reviewer, ...order].flatMap(model => opinions[model] ?? []),
      evidence,
      input,
    ),
    task(labels, set.exclusive, evidence !== null),
  ]);
}

const system = [
  'You are a careful forecaster. Review the answers of other forecasters to the same question without knowing who they',
  'are, then revise your own. Judge their reasoning: the rules restated correctly, base rates, the status quo, evidence',
  'that can be checked, the case against their own view, honest uncertainty. Length, tone and agreement with you or with',
  'one another are not merits. Change your mind because of arguments and facts, not because of numbers: a number without',
  'a reason that is new to you is no reason to move, and neither is being in the minority. You do not see a market',
  'price. Do not guess one.',
  fenceRule,
].join(' ');

function task(labels: readonly string[], exclusive: boolean, hasSources: boolean): string {
  return [
    'Do not rank or criticise your own first answer: it has no letter. Before you revise it, ask which argument or fact of',
    'the others you had missed, whether you all mean the same rule and the same time left, and what would have to be true',
    'for you to be wrong. Where nothing of that moves you, keep your numbers.',
    ...(hasSources
      ? [
          'A cited fact is worth what its source says and no more: see whether the source supports the sentence, and how old',
          'it is. A fact from own knowledge is a claim. A cited fact that you did not have is a reason to revise.',
        ]
      : []),
    'Answer with:',
    `- "ranking": all of ${labels.join(', ')}, each once, best reasoning first, only the letters.`,
    '- "critiques": for every letter its "label", "strengths" and "weaknesses", one or two sentences each.',
    `- "revised_distribution": your own probabilities, revised, one entry for every outcome above, named by its label (O1, O2, …). ${numberRule(exclusive)}`,
    '- "revised_confidence": percent from 0 to 100: how sure you are that a better-informed forecaster would agree with you.',
    jsonRule,
  ].join('\n');
}
