import type { OutcomeProbability } from '../../council/deliberation.js';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { roundDistribution } from '../../council/round-distribution.js';
import type { Task } from './read-task.js';
import { uniform } from './uniform.js';

/**
 * A member's probabilities for the task's outcomes, in percent with one decimal.
 * All members share a base that the event gives, and each leans a little its own way. At the cross-review each
 * moves part of the way towards the mean of the four. They add up to 100.0 unless the outcomes are independent.
 */
export function drawDistribution(eventText: string, member: CouncilModel, task: Task): OutcomeProbability[] {
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
