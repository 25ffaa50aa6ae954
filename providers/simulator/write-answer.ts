import { createHash } from 'node:crypto';
import type { OutcomeProbability, Stage } from '../../council/deliberation/stages.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { roundDistribution } from '../../council/numbers.js';
import type { Task } from './read-task.js';

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

/**
 * A member's probabilities for the task's outcomes, in percent with one decimal.
 * All members share a base that the event gives, and each leans a little its own way. At the cross-review each
 * moves part of the way towards the mean of the four. They add up to 100.0 unless the outcomes are independent.
 */
function drawDistribution(eventText: string, member: CouncilModel, task: Task): OutcomeProbability[] {
  const own = percentages(eventText, member, task);
  const drawn = task.stage === 'cross_review' ? towards(meanOfMembers(eventText, task), own) : own;
  const rounded = task.independent
    ? drawn.map(percent => Math.round(percent * 10) / 10)
    : roundDistribution(drawn);
  return task.outcomes.map((outcome, index) => ({ outcome, probability: rounded[index] ?? 0 }));
}

/** How far the members agree on the outcomes: spread of the shared base and of each one's lean, in logits. */
const baseSpread = 0.8;
const leanSpread = 0.35;
/** Share of the way to the mean that a member goes after it has read the others. */
const concession = 0.4;

function percentages(eventText: string, member: CouncilModel, task: Task): number[] {
  const logits = task.outcomes.map(outcome => {
    const base = baseSpread * logit(uniform(eventText, 'base', outcome));
    const lean = leanSpread * (2 * uniform(eventText, 'lean', member, outcome) - 1);
    return base + lean;
  });
  if (task.independent) return logits.map(value => 100 / (1 + Math.exp(-value)));
  const weights = logits.map(Math.exp);
  const total = sum(weights);
  return weights.map(weight => (100 * weight) / total);
}

function meanOfMembers(eventText: string, task: Task): number[] {
  const all = councilModels.map(member => percentages(eventText, member, task));
  return task.outcomes.map((_, index) => sum(all.map(one => one[index] ?? 0)) / all.length);
}

function towards(mean: readonly number[], own: readonly number[]): number[] {
  return own.map((percent, index) => percent + concession * ((mean[index] ?? percent) - percent));
}

function logit(probability: number): number {
  const clamped = Math.min(0.98, Math.max(0.02, probability));
  return Math.log(clamped / (1 - clamped));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A number in (0, 1) that depends on nothing but `parts`: the simulator's only source of chance. */
export function uniform(...parts: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return (digest.readUInt32BE(0) + 0.5) / 2 ** 32;
}

/** How a key is told from others without being kept: its SHA-256 in hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
