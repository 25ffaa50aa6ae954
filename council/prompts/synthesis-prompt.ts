import { reviewLabels } from '../deliberation/review-order.js';
import type { CrossReview, Opinion } from '../deliberation/stages.js';
import { outcomeLabels, subjectIndex } from '../market/outcome-set.js';
import type { CouncilModel } from '../models.js';
import { at } from '../numbers.js';
import { critiqueShownChars, oneLine } from '../text.js';
import { opinionText, stripIdentity } from './anonymous-opinion.js';
import { councilPrompt, type MemberBrief } from './council-prompt.js';
import { fence, jsonRule, type Prompt } from './prompt.js';
import { citedFacts, type ShownSources } from './sources.js';

/** The brief and the pack are the chairman's. */
export interface SynthesisPromptInput extends MemberBrief, ShownSources {
  /** The order of `reviewOrder(seed, 'synthesis', members)`. */
  readonly order: readonly CouncilModel[];
  readonly opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>;
  readonly reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>;
  /** The council's percents, aligned with the outcomes. */
  readonly consensus: readonly number[];
}

/** Stage 3: asks the chairman to summarise what the members think. The numbers are already computed. */
export function synthesisPrompt(input: SynthesisPromptInput): Prompt {
  const { order, opinions, set, consensus, seed, evidence } = input;
  const labels = new Map(reviewLabels(order).map((label, index) => [at(order, index), label]));
  const shown = order.flatMap(model => opinions[model] ?? []);
  const answers = [...labels].flatMap(([model, label]) => {
    const opinion = opinions[model];
    return opinion
      ? [opinionText(label, opinion, input, evidence !== null), reviewText(model, label, labels, input)]
      : [];
  });
  const pooled = set.outcomes.map(
    ({ name }, index) => `- ${JSON.stringify(name)}: ${at(consensus, index)} %`,
  );
  return councilPrompt(input, [
    answersFollow,
    ...answers.filter(text => text !== ''),
    ...citedFacts(shown, input, input),
    'The council’s probabilities, computed by a fixed formula from the members’ final numbers:',
    fence(seed, 'CONSENSUS', pooled.join('\n')),
    chairing,
    task({
      hasSources: evidence !== null,
      hasBaseRates: shown.some(({ grounds }) => (grounds?.baseRates ?? []).length > 0),
      hasChanges: shown.some(({ grounds }) => (grounds?.wouldChange ?? []).length > 0),
      subject: at(outcomeLabels(set.outcomes.length), subjectIndex(set.exclusive, consensus)),
    }),
  ]);
}

const answersFollow = [
  'The council forecast this event. Each answer is followed by its author’s review of the others. Letters inside the',
  'sentences of a review are the ones that its author saw. They do not match the letters used here.',
].join(' ');

const chairing = [
  'Your task in this step: you chair the council. Write its report: its conclusion, the reasons, and where the members',
  'disagree. You do not know who the members are. You set no number: the probabilities are computed from those of the',
  'members and are final. Show dissent, do not smooth it over. You do not see a market price: name none. Use plain',
  'language. Give no advice to buy or sell anything.',
].join(' ');

interface Shown {
  readonly hasSources: boolean;
  readonly hasBaseRates: boolean;
  readonly hasChanges: boolean;
  /** The label of the outcome that the triggers speak of. */
  readonly subject: string;
}

function task({ hasSources, hasBaseRates, hasChanges, subject }: Shown): string {
  const baseRates = hasBaseRates
    ? ', how often comparable events ended this way (k of n, and whether the members agree on the class)'
    : '';
  return [
    'Answer with:',
    `- "summary": what the council concludes and why, in at most 200 words, for a reader who has not seen these answers: what has to happen under the rules${baseRates}, where things stand, and the strongest case for and against. Do not use the letters.`,
    '- "agreements": up to 6 points on which the members agree.',
    '- "disagreements": up to 6 points on which they disagree, with both sides; empty if there are none.',
    '- "key_uncertainties": up to 6 things that would change the probabilities, and in which direction.',
    ...(hasChanges ? triggersText(subject) : ['- "triggers": an empty list: no answer names a change.']),
    ...(hasSources
      ? [
          'Keep facts and counts that are cited to a source apart from what members claim by themselves: name the host of the',
          'source, not its id, and call no fact verified.',
        ]
      : []),
    jsonRule,
  ].join('\n');
}

/** The subject stands as a label: its name is text of the market, and belongs inside a fence. */
function triggersText(subject: string): string[] {
  return [
    '- "triggers": up to 5 events that would change the forecast, merged from the changes that the answers name (the lines that begin with an id such as A1). Changes that mean the same event are one trigger; first those that most answers name or that would move most. Add no event, and no number.',
    '  "if": the event, so that anybody can check it. "by": its date, YYYY-MM-DD, the earliest if they differ.',
    `  "direction": "up" if it makes ${subject} more probable, "down" if less. A change names the outcome that it speaks of, which may be another one: say what it means for ${subject}, or leave it out.`,
    '  "members": the ids of the changes that it merges, such as A1.',
  ];
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
