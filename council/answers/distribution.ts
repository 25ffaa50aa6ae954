import type { OutcomeProbability } from '../deliberation/stages.js';
import type { Ladder } from '../market/ladders.js';
import { type OutcomeSet, outcomeLabels } from '../market/outcome-set.js';
import { distributionSumTolerancePercent } from '../method.js';
import { at, atLeast, roundTo, sum } from '../numbers.js';
import { problemsMax } from '../text.js';

/** What a distribution in an answer must cover. */
export interface DistributionRule {
  /** The names of the outcomes, in the order of their labels. */
  readonly outcomes: readonly string[];
  readonly exclusive: boolean;
  readonly ladders: readonly Ladder[];
}

/** What an answer about a set of outcomes must cover. */
export function distributionRule({ outcomes, exclusive, ladders }: OutcomeSet): DistributionRule {
  return { outcomes: outcomes.map(({ name }) => name), exclusive, ladders };
}

/**
 * The entries by the names of the outcomes, in their order: a model's own order could reveal its identity. Exact, once
 * {@link distributionProblems} has found nothing.
 */
export function namedDistribution(
  outcomes: readonly string[],
  distribution: readonly OutcomeProbability[],
): OutcomeProbability[] {
  const labels = outcomeLabels(outcomes.length);
  return outcomes.flatMap((outcome, index) =>
    distribution
      .filter(entry => entry.outcome === labels[index])
      .map(({ probability }) => ({ outcome, probability })),
  );
}

/**
 * Lists what is wrong with a distribution: unknown, repeated or missing labels, or, on exclusive outcomes, a sum other
 * than 100 ± 2. Empty if it can be pooled. A label that is not one of the event's is never guessed at.
 *
 * On independent questions no sum tells fractions from percents, and 0.4 can be an honest percent: the prompt says what
 * it means, and the answer is believed. An answer in fractions throughout has a confidence that is one, and is sent back.
 */
export function distributionProblems(
  field: string,
  distribution: readonly OutcomeProbability[],
  { outcomes, exclusive }: DistributionRule,
): string[] {
  const labels = outcomeLabels(outcomes.length);
  const given = distribution.map(({ outcome }) => outcome);
  const unknown = given.filter(label => !labels.includes(label)).length;
  const repeated = labels.filter(label => given.indexOf(label) !== given.lastIndexOf(label));
  const missing = labels.filter(label => !given.includes(label));
  const names = [
    ...(unknown > 0 ? [`${field}: ${unknown} of its labels are not labels of outcomes of this event`] : []),
    ...repeated.map(label => `${field}: outcome ${label} appears more than once`),
    ...missing.map(label => `${field}: outcome ${label} is missing`),
  ];
  if (names.length > 0) return names;
  const numbers = distribution.map(({ probability }) => probability);
  return exclusive ? sumProblems(field, numbers) : [];
}

/** @param distribution in the order of the outcomes */
export function ladderFlaws(
  field: string,
  distribution: readonly OutcomeProbability[],
  ladders: readonly Ladder[],
): string[] {
  const labels = outcomeLabels(distribution.length);
  const percentOf = (index: number) => at(distribution, index).probability;
  const steps = ladders.flatMap(ladder =>
    ladder.slice(1).map((rung, index) => [at(ladder, index), rung] as const),
  );
  return steps
    .filter(([weaker, stronger]) => percentOf(stronger) > percentOf(weaker))
    .map(
      ([weaker, stronger]) =>
        `${field}: ${at(labels, stronger)} implies ${at(labels, weaker)}, so it cannot be more probable`,
    )
    .slice(0, problemsMax);
}

function sumProblems(field: string, percents: readonly number[]): string[] {
  const total = sum(percents);
  if (atLeast(distributionSumTolerancePercent, Math.abs(total - 100))) return [];
  if (atLeast(distributionSumTolerancePercent / 100, Math.abs(total - 1)))
    return [
      `${field}: its probabilities add up to about 1, like fractions; they must be percents that add up to 100: write 40 for 40 %, not 0.4`,
    ];
  return [`${field}: its probabilities add up to ${roundTo(total, 1)}, not to 100`];
}
