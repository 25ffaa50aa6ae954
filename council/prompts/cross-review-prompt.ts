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

/** Stage 2: shows a reviewer the answers of the others, but not its own, under letters. */
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
      'Other forecasters answered independently. These are their answers, in no particular order:',
      ...answers,
      task(labels, input.set.exclusive),
    ].join('\n\n'),
  };
}

const system = [
  'You are a careful forecaster. Review the answers of other forecasters to the same question without knowing who they',
  'are, then give your own probabilities. Judge their reasoning: base rates, use of the rules, evidence that can be',
  'checked, honest uncertainty. Length, tone and agreement with the others are not merits. Change your mind because of',
  'arguments, not because of numbers. You do not see a market price. Do not guess one.',
  fenceRule,
].join(' ');

function task(labels: readonly string[], exclusive: boolean): string {
  return [
    'Answer with:',
    `- "ranking": all of ${labels.join(', ')}, each once, best reasoning first, only the letters.`,
    '- "critiques": for every letter its "label", "strengths" and "weaknesses", one or two sentences each.',
    `- "revised_distribution": your own probabilities now, one entry for every outcome above, named by its label (O1, O2, …). ${numberRule(exclusive)}`,
    '- "revised_confidence": percent from 0 to 100: how sure you are that a better-informed forecaster would agree with you.',
    jsonRule,
  ].join('\n');
}
