import { reviewLabels } from '../deliberation/review-order.js';
import type { CrossReview, Opinion } from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { critiqueShownChars, oneLine } from '../text.js';
import { opinionText, stripIdentity } from './anonymous-opinion.js';
import { type BriefInput, eventBrief } from './event-brief.js';
import { fence, fenceRule, jsonRule, type Prompt } from './prompt.js';

export interface SynthesisPromptInput extends BriefInput {
  /** From `reviewOrder(seed, 'synthesis', members)`. */
  readonly order: readonly CouncilModel[];
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  readonly reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>;
  /** The pooled percents, aligned with the outcomes. */
  readonly consensus: readonly number[];
}

/** Stage 3: the chairman puts into words what the members think. The numbers are settled before it is asked. */
export function synthesisPrompt(input: SynthesisPromptInput): Prompt {
  const labels = new Map(reviewLabels(input.order).map((label, index) => [at(input.order, index), label]));
  const answers = [...labels].flatMap(([model, label]) => {
    const opinion = input.opinions[model];
    return opinion ? [opinionText(label, opinion, input.event), reviewText(model, label, labels, input)] : [];
  });
  const pooled = input.set.outcomes.map(
    ({ name }, index) => `- ${JSON.stringify(name)}: ${at(input.consensus, index)} %`,
  );
  return {
    system,
    user: [
      eventBrief(input),
      answersFollow,
      ...answers.filter(text => text !== ''),
      'Pooled by a fixed formula from the members’ final numbers, the council’s probabilities are:',
      fence('CONSENSUS', pooled.join('\n')),
      task,
    ].join('\n\n'),
  };
}

const system = [
  'You chair a council of forecasters and write its report: what it concludes, why, and where it is divided. You do not',
  'know who the members are. You set no number: the probabilities are computed from the members’ own and stand as they',
  'are. Show dissent, do not smooth it over. Plain words, no advice to buy or sell anything.',
  fenceRule,
].join(' ');

const answersFollow = [
  'The council forecast this event. Each answer is followed by what its author made of the others; letters inside the',
  'sentences of a review are those its author saw, and not the letters here.',
].join(' ');

const task = [
  'Answer with:',
  '- "summary": what the council concludes and why, in at most 200 words, for a reader who has seen none of this. Do not use the letters.',
  '- "agreements": up to 6 points on which the members agree.',
  '- "disagreements": up to 6 points on which they do not, with both sides; empty if there are none.',
  '- "key_uncertainties": up to 6 things that could change the answer.',
  jsonRule,
].join('\n');

function reviewText(
  author: CouncilModel,
  label: string,
  labels: ReadonlyMap<CouncilModel, string>,
  { event, reviews }: SynthesisPromptInput,
): string {
  const review = reviews[author];
  if (!review) return '';
  const shown = (text: string) => stripIdentity(oneLine(text, critiqueShownChars), event);
  const lines = [
    ...review.critiques.map(
      ({ model, strengths, weaknesses }) =>
        `On ${labels.get(model) ?? 'another'}: strengths: ${shown(strengths)} Weaknesses: ${shown(weaknesses)}`,
    ),
    'Final probabilities:',
    ...review.revisedDistribution.map(
      ({ outcome, probability }) => `- ${JSON.stringify(outcome)}: ${probability} %`,
    ),
  ];
  return fence(`REVIEW BY ${label}`, lines.join('\n'));
}
