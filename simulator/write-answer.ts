import { confidenceOf } from '../council/answers/grounds.js';
import { makeMonotone } from '../council/conclusion/make-monotone.js';
import type { Fact, OutcomeProbability, QuestionStage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import { roundDistribution } from '../council/numbers.js';
import { uniform } from './digests.js';
import type { Task } from './read-task.js';
import { writeGrounds, writeTriggers } from './write-grounds.js';

/**
 * Writes a member's answer to a task, in the council's schema. The same event and member get the same
 * answer.
 */
export function writeAnswer(eventText: string, member: CouncilModel, task: Task): AnswerFields {
  return writers[task.stage](eventText, member, task);
}

export type AnswerFields = Readonly<Record<string, unknown>>;

type Writer = (eventText: string, member: CouncilModel, task: Task) => AnswerFields;

const writers: Readonly<Record<QuestionStage, Writer>> = {
  opinions: opinion,
  cross_review: crossReview,
  synthesis,
  market_gap: marketGap,
};

function opinion(eventText: string, member: CouncilModel, task: Task): AnswerFields {
  const distribution = drawDistribution(eventText, member, task);
  const { range, would_change, ...start } = writeGrounds(eventText, member, task, distribution);
  return {
    ...start,
    evidence: factsFor(eventText, member, task),
    rationale:
      `Simulated rationale, not a forecast: the numbers are drawn from the question's text, and here they ` +
      `favour ${favouriteOf(distribution, task)}. ${pick(reasons, eventText, member, 'reason')}`,
    distribution,
    range,
    confidence: confidenceOf(range),
    would_change,
  };
}

/** Facts that cite sources of the prompt, and one of the member's own; without sources, several of its own. */
function factsFor(eventText: string, member: CouncilModel, { sources }: Task): Fact[] {
  const fact = (text: string) => `Simulated evidence: ${text}`;
  const left = pick(signs, eventText, member, 'evidence');
  const own = signs.filter(sign => sign !== left).map(sign => ({ fact: fact(sign), sources: [] }));
  const cited = sources
    .toSorted((a, b) => uniform(eventText, member, a.id) - uniform(eventText, member, b.id))
    .slice(0, citedFactsMax)
    .map(({ id, text }) => ({ fact: fact(firstStatementOf(text)), sources: [id] }));
  return cited.length === 0 ? own : [...cited, ...own.slice(0, 1)];
}

/** What several members say of a page is one text, and each statement of the simulator has the label. */
function firstStatementOf(text: string): string {
  return text.split(/\s*\bSimulated: /).find(statement => statement !== '') ?? text;
}

const citedFactsMax = 3;

function crossReview(eventText: string, member: CouncilModel, task: Task): AnswerFields {
  const score = (label: string) => uniform(eventText, member, 'ranking', label);
  return {
    ranking: [...task.labels].sort((a, b) => score(b) - score(a)),
    critiques: task.labels.map(label => ({
      label,
      strengths: `Simulated: ${pick(strengths, eventText, member, label)}`,
      weaknesses: `Simulated: ${pick(weaknesses, eventText, member, label)}`,
    })),
    revised_distribution: reviseDistribution(eventText, member, task),
    revised_confidence: 75 + Math.floor(20 * uniform(eventText, member, 'confidence')),
  };
}

function synthesis(eventText: string, member: CouncilModel, { changes }: Task): AnswerFields {
  return {
    summary:
      'Simulated synthesis, not a forecast: no model was asked. The members were drawn close together and ' +
      `differ in how far they trust the same signs. ${pick(reasons, eventText, member, 'summary')}`,
    agreements: ['Simulated: all members name the rules of the event as what decides it.'],
    disagreements: [`Simulated: ${pick(weaknesses, eventText, member, 'disagreement')}`],
    key_uncertainties: [0, 1].map(
      index => `Simulated: ${pick(signs, eventText, member, `uncertainty ${index}`)}`,
    ),
    triggers: writeTriggers(eventText, changes),
  };
}

function marketGap(eventText: string, member: CouncilModel): AnswerFields {
  return {
    market_may_know: `Simulated: ${pick(aheadOfSources, eventText, member, 'market')}`,
    council_may_know: `Simulated: ${pick(aheadOfPrice, eventText, member, 'council')}`,
  };
}

function favouriteOf(distribution: readonly OutcomeProbability[], { outcomes }: Task): string {
  const [favourite] = [...distribution].sort((a, b) => b.probability - a.probability);
  const name = outcomes.find(({ label }) => label === favourite?.outcome)?.name;
  return name === undefined ? 'no outcome' : `“${name}”`;
}

function pick(texts: readonly string[], ...seed: readonly string[]): string {
  return texts[Math.floor(texts.length * uniform(...seed))] ?? '';
}

const reasons = [
  'A real member would weigh base rates against recent news here.',
  'A real member would read the rules for ties, delays and cancellations here.',
  'A real member would ask what has to happen before the closing date.',
];

const signs = [
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

const aheadOfSources = [
  'traders may have read news that no source has yet.',
  'traders may read the rules more strictly than their words.',
];

const aheadOfPrice = [
  'the rules name a source that the price may not follow yet.',
  'few traders may have looked at how often such events ended this way.',
];

/**
 * Draws a member's probabilities in percent with one decimal. The event determines a base that all members
 * share, and each member deviates a little from it. The probabilities add up to 100.0 unless the outcomes are
 * independent, and never increase along a ladder.
 */
function drawDistribution(eventText: string, member: CouncilModel, task: Task): OutcomeProbability[] {
  return rounded(percentages(eventText, member, task), task);
}

/** Moves the reviewer's own first answer part of the way towards the mean of all answers that the prompt shows. */
function reviseDistribution(eventText: string, member: CouncilModel, task: Task): OutcomeProbability[] {
  const { own, others } = task.answers;
  const mine = (own && percentsOf(own, task)) ?? percentages(eventText, member, task);
  const all = [mine, ...others.flatMap(answer => [percentsOf(answer, task)].filter(each => each !== null))];
  const mean = task.outcomes.map((_, index) => sum(all.map(one => one[index] ?? 0)) / all.length);
  return rounded(moveTowards(mean, mine), task);
}

/** Null if an outcome is missing, or an exclusive answer has nothing but zeros. */
function percentsOf(answer: readonly OutcomeProbability[], task: Task): number[] | null {
  const found = task.outcomes.flatMap(
    ({ name }) => answer.find(each => each.outcome === name)?.probability ?? [],
  );
  if (found.length < task.outcomes.length) return null;
  if (task.independent) return found;
  const total = sum(found);
  return total > 0 ? found.map(percent => (100 * percent) / total) : null;
}

function rounded(percents: readonly number[], task: Task): OutcomeProbability[] {
  const shown = task.independent
    ? percents.map(percent => Math.round(percent * 10) / 10)
    : roundDistribution(percents);
  return task.outcomes.map(({ label }, index) => ({ outcome: label, probability: shown[index] ?? 0 }));
}

/** Spread of the shared base and of each member's deviation, in logits. */
const baseSpread = 0.8;
const deviationSpread = 0.35;
/** The share of the distance to the mean that a member moves in the cross-review. */
const concession = 0.4;

function percentages(eventText: string, member: CouncilModel, task: Task): number[] {
  const logits = task.outcomes.map(({ name }) => {
    const base = baseSpread * logit(uniform(eventText, 'base', name));
    const deviation = deviationSpread * (2 * uniform(eventText, 'lean', member, name) - 1);
    return base + deviation;
  });
  if (task.independent)
    return makeMonotone(
      logits.map(value => 100 / (1 + Math.exp(-value))),
      task.ladders,
    );
  const weights = logits.map(Math.exp);
  const total = sum(weights);
  return weights.map(weight => (100 * weight) / total);
}

function moveTowards(mean: readonly number[], own: readonly number[]): number[] {
  return own.map((percent, index) => percent + concession * ((mean[index] ?? percent) - percent));
}

function logit(probability: number): number {
  const clamped = Math.min(0.98, Math.max(0.02, probability));
  return Math.log(clamped / (1 - clamped));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
