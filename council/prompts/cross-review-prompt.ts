import { reviewLabels } from '../deliberation/review-order.js';
import type { Opinion } from '../deliberation/stages.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { opinionText } from './anonymous-opinion.js';
import { councilPrompt, type MemberBrief } from './council-prompt.js';
import { jsonRule, noPriceRule, numberRule, type Prompt, subjectInWords } from './prompt.js';
import { citedFacts, type ShownSources } from './sources.js';

export interface CrossReviewPromptInput extends MemberBrief, ShownSources {
  readonly reviewer: CouncilModel;
  /** The order of `reviewOrder`, without the reviewer. */
  readonly order: readonly CouncilModel[];
  /** Those of the others and the reviewer's own. */
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
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
  return councilPrompt(input, [
    ...(own ? ['This is the answer that you gave first:', textOf(null, own)] : []),
    'Other forecasters answered independently. These are their answers, in no particular order:',
    ...answers,
    ...citedFacts(
      [reviewer, ...order].flatMap(model => opinions[model] ?? []),
      input,
      input,
    ),
    judging(evidence !== null),
    task(labels, set),
  ]);
}

function judging(hasSources: boolean): string {
  return [
    'Your task in this step: review the answers of the others without knowing who they are, then revise your own.',
    noPriceRule,
    'Judge their reasoning: whether the rule is restated correctly; whether the reference classes fit and the outside view',
    'follows from them, scaled to the time left; the status quo; evidence that can be checked; the case against their own',
    'view; whether the range is as wide as what they know is uncertain. Length, tone and agreement with you or with one',
    'another are not merits.',
    ...(hasSources
      ? [
          'A cited fact is worth what its source says and no more, and so is a count, k of n: see whether the source supports',
          'it, and how old it is. What comes from own knowledge is a claim. A cited fact that you did not have is a reason to',
          'revise.',
        ]
      : [
          'Counts, k of n, and facts are claims: see whether they are plausible, and whether the answers agree on them.',
        ]),
    'Change your mind because of arguments and facts, not because of numbers: a number without a reason that is new to you',
    'is no reason to move, and neither is being in the minority.',
  ].join(' ');
}

function task(labels: readonly string[], set: OutcomeSet): string {
  return [
    'Do not rank or criticise your own first answer: it has no letter. Before you revise it, ask which argument, fact or',
    'reference class of the others you had missed, whether you all mean the same rule and the same time left, and what',
    'would have to be true for you to be wrong. Where nothing of that moves you, keep your numbers.',
    'Answer with:',
    `- "ranking": all of ${labels.join(', ')}, each once, best reasoning first, only the letters.`,
    '- "critiques": for every letter its "label", "strengths" and "weaknesses", one or two sentences each.',
    `- "revised_distribution": your own probabilities, revised, one entry for every outcome above, named by its label (O1, O2, …). ${numberRule(set.exclusive)}`,
    `- "revised_confidence": 100 minus the width of your range now, for ${subjectInWords(set)}: the 10th and 90th percentile of what your probability of it would be after a further day of research.`,
    jsonRule,
  ].join('\n');
}
