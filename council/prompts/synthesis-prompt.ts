import { reviewLabels } from '../deliberation/review-order.js';
import type { CrossReview, Opinion } from '../deliberation/stages.js';
import type { EvidenceItem } from '../evidence.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { critiqueShownChars, oneLine } from '../text.js';
import { opinionText, stripIdentity } from './anonymous-opinion.js';
import { type BriefInput, eventBrief } from './event-brief.js';
import { fence, fenceRule, jsonRule, type Prompt, promptOf } from './prompt.js';
import { citedFacts } from './sources.js';

export interface SynthesisPromptInput extends BriefInput {
  /** The order of `reviewOrder(seed, 'synthesis', members)`. */
  readonly order: readonly CouncilModel[];
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  readonly reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>;
  /** All evidence of the report; null if nobody searches. */
  readonly evidence: readonly EvidenceItem[] | null;
  /** The council's percents, aligned with the outcomes. */
  readonly consensus: readonly number[];
}

/** Stage 3: asks the chairman to summarise what the members think. The numbers are already computed. */
export function synthesisPrompt(input: SynthesisPromptInput): Prompt {
  const labels = new Map(reviewLabels(input.order).map((label, index) => [at(input.order, index), label]));
  const answers = [...labels].flatMap(([model, label]) => {
    const opinion = input.opinions[model];
    return opinion
      ? [opinionText(label, opinion, input, input.evidence !== null), reviewText(model, label, labels, input)]
      : [];
  });
  const pooled = input.set.outcomes.map(
    ({ name }, index) => `- ${JSON.stringify(name)}: ${at(input.consensus, index)} %`,
  );
  return promptOf(system, eventBrief(input), [
    answersFollow,
    ...answers.filter(text => text !== ''),
    ...citedFacts(
      input.order.flatMap(model => input.opinions[model] ?? []),
      input.evidence,
      input,
    ),
    'The council’s probabilities, computed by a fixed formula from the members’ final numbers:',
    fence(input.seed, 'CONSENSUS', pooled.join('\n')),
    task(input.evidence !== null),
  ]);
}

const system = [
  'You chair a council of forecasters and write its report: its conclusion, the reasons, and where the members disagree.',
  'You do not know who the members are. You set no number: the probabilities are computed from those of the members and',
  'are final. Show dissent, do not smooth it over. Use plain language. Give no advice to buy or sell anything.',
  fenceRule,
].join(' ');

const answersFollow = [
  'The council forecast this event. Each answer is followed by its author’s review of the others. Letters inside the',
  'sentences of a review are the ones that its author saw. They do not match the letters used here.',
].join(' ');

function task(hasSources: boolean): string {
  return [
    'Answer with:',
    '- "summary": what the council concludes and why, in at most 200 words, for a reader who has not seen these answers: what has to happen under the rules, where things stand, and the strongest case for and against. Do not use the letters.',
    '- "agreements": up to 6 points on which the members agree.',
    '- "disagreements": up to 6 points on which they disagree, with both sides; empty if there are none.',
    '- "key_uncertainties": up to 6 things that would change the probabilities, and in which direction.',
    '- "triggers": up to 5 events that the answers say would change them, the same ones merged: "if", "by" (a date, YYYY-MM-DD), "direction" ("up" or "down" for the outcome that they speak of) and "members" (the ids of what is merged, such as A1).',
    ...(hasSources
      ? [
          'Tell facts that are cited to a source from what members claim by themselves: name the host of the source, not its',
          'id, and call no fact verified.',
        ]
      : []),
    jsonRule,
  ].join('\n');
}

function reviewText(
  author: CouncilModel,
  label: string,
  labels: ReadonlyMap<CouncilModel, string>,
  { event, reviews, seed }: SynthesisPromptInput,
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
  return fence(seed, `REVIEW BY ${label}`, lines.join('\n'));
}
