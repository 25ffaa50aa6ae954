import type { OutcomeProbability, Stage } from '../../council/deliberation.js';
import type { CouncilModel } from '../../council/models.js';
import { drawDistribution } from './draw-distribution.js';
import type { Task } from './read-task.js';
import { uniform } from './uniform.js';

/** What a member says to a task: JSON after the council's schema, always the same for the same event and member. */
export function writeAnswer(eventText: string, member: CouncilModel, task: Task): AnswerFields {
  return writers[task.stage](eventText, member, task);
}

export type AnswerFields = Readonly<Record<string, unknown>>;

type Writer = (eventText: string, member: CouncilModel, task: Task) => AnswerFields;

const writers: Readonly<Record<Stage, Writer>> = {
  opinions: opinion,
  cross_review: crossReview,
  synthesis,
};

function opinion(eventText: string, member: CouncilModel, task: Task): AnswerFields {
  const distribution = drawDistribution(eventText, member, task);
  return {
    distribution,
    confidence: confidenceOf(eventText, member),
    rationale:
      `Simulated rationale, not a forecast: the numbers are drawn from the question's text, and here they ` +
      `favour ${favouriteOf(distribution)}. ${pick(reasons, eventText, member, 'reason')}`,
    evidence: sources
      .filter(source => source !== pick(sources, eventText, member, 'evidence'))
      .map(source => `Simulated evidence: ${source}`),
  };
}

function crossReview(eventText: string, member: CouncilModel, task: Task): AnswerFields {
  const score = (label: string) => uniform(eventText, member, 'ranking', label);
  return {
    ranking: [...task.labels].sort((a, b) => score(b) - score(a)),
    critiques: task.labels.map(label => ({
      label,
      strengths: `Simulated: ${pick(strengths, eventText, member, label)}`,
      weaknesses: `Simulated: ${pick(weaknesses, eventText, member, label)}`,
    })),
    revised_distribution: drawDistribution(eventText, member, task),
    revised_confidence: confidenceOf(eventText, member) + 3,
  };
}

function synthesis(eventText: string, member: CouncilModel): AnswerFields {
  return {
    summary:
      'Simulated synthesis, not a forecast: no model was asked. The members were drawn close together and ' +
      `differ in how far they trust the same signs. ${pick(reasons, eventText, member, 'summary')}`,
    agreements: ['Simulated: all members name the rules of the event as what decides it.'],
    disagreements: [`Simulated: ${pick(weaknesses, eventText, member, 'disagreement')}`],
    key_uncertainties: [0, 1].map(
      index => `Simulated: ${pick(sources, eventText, member, `uncertainty ${index}`)}`,
    ),
  };
}

/** 55 to 80. */
function confidenceOf(eventText: string, member: CouncilModel): number {
  return 55 + Math.floor(26 * uniform(eventText, member, 'confidence'));
}

function favouriteOf(distribution: readonly OutcomeProbability[]): string {
  const [favourite] = [...distribution].sort((a, b) => b.probability - a.probability);
  return favourite === undefined ? 'no outcome' : `“${favourite.outcome}”`;
}

function pick(texts: readonly string[], ...seed: readonly string[]): string {
  return texts[Math.floor(texts.length * uniform(...seed))] ?? '';
}

const reasons = [
  'A real member would weigh base rates against recent news here.',
  'A real member would read the rules for ties, delays and cancellations here.',
  'A real member would ask what has to happen before the closing date.',
];

const sources = [
  'how often comparable events ended this way.',
  'what the rules count as the deciding source.',
  'how much time is left until the event closes.',
  'which announcement could still change the picture.',
];

const strengths = [
  'states its base rate and stays close to it.',
  'separates what is known from what is guessed.',
  'reads the rules with care.',
];

const weaknesses = [
  'leans on a single sign more than it can carry.',
  'says little about what would change its mind.',
  'takes the latest news for the whole story.',
];
