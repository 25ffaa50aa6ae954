import { reviewLabels } from '../deliberation/review-order.js';
import type { Opinion } from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { opinionText } from './anonymous-opinion.js';
import { type BriefInput, eventBrief } from './event-brief.js';
import { fenceRule, jsonRule, numberRule, type Prompt } from './prompt.js';

export interface CrossReviewPromptInput extends BriefInput {
  /** From `reviewOrder`: without the reviewer. */
  readonly order: readonly CouncilModel[];
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
}

/** Stage 2: the others' answers under letters, in the reviewer's own order. Its own is not among them. */
export function crossReviewPrompt(input: CrossReviewPromptInput): Prompt {
  const labels = reviewLabels(input.order);
  const answers = input.order.flatMap((model, index) => {
    const opinion = input.opinions[model];
    return opinion ? [opinionText(at(labels, index), opinion, input.event)] : [];
  });
  return {
    system,
    user: [
      eventBrief(input),
      `Other forecasters answered independently. Their answers, in no particular order:`,
      ...answers,
      task(labels, input.set.exclusive),
    ].join('\n\n'),
  };
}

const system = [
  'You are a careful forecaster who reviews the answers of others to the same question, without knowing who they are,',
  'and then gives probabilities of your own. Judge reasoning: base rates, use of the rules, evidence that can be checked,',
  'honest uncertainty. Length, tone and agreement with the rest are no merits. Be moved by arguments, not',
  'by numbers. You are shown no market price: do not guess what one would be.',
  fenceRule,
].join(' ');

function task(labels: readonly string[], exclusive: boolean): string {
  return [
    'Answer with:',
    `- "ranking": all of ${labels.join(', ')}, each once, the best-reasoned first; bare letters.`,
    '- "critiques": for every letter its "label", "strengths" and "weaknesses", each in one or two sentences.',
    `- "revised_distribution": your own probabilities now, one entry for every outcome above, its name repeated to the letter. ${numberRule(exclusive)}`,
    '- "revised_confidence": percent from 0 to 100, how sure you are that a better-informed forecaster would agree with you.',
    jsonRule,
  ].join('\n');
}
