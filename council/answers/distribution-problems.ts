import type { OutcomeProbability } from '../deliberation/stages.js';
import { distributionSumTolerancePercent } from '../method.js';
import { atLeast, roundTo } from '../numbers.js';

export interface DistributionRule {
  /** The exact names an answer may use. */
  readonly outcomes: readonly string[];
  readonly exclusive: boolean;
}

/**
 * What is wrong with a distribution as a whole: outcomes unknown, repeated or left out, fractions where percents
 * were asked for, a sum other than 100 ± 2. Empty when it can be pooled.
 */
export function distributionProblems(
  field: string,
  distribution: readonly OutcomeProbability[],
  { outcomes, exclusive }: DistributionRule,
): string[] {
  const given = distribution.map(({ outcome }) => outcome);
  const unknown = given.filter(outcome => !outcomes.includes(outcome)).length;
  const repeated = outcomes.filter(outcome => given.indexOf(outcome) !== given.lastIndexOf(outcome));
  const missing = outcomes.filter(outcome => !given.includes(outcome));
  const names = [
    ...(unknown > 0 ? [`${field}: ${unknown} of its outcomes were not asked about`] : []),
    ...repeated.map(outcome => `${field}: outcome ${JSON.stringify(outcome)} stands there more than once`),
    ...missing.map(outcome => `${field}: outcome ${JSON.stringify(outcome)} is missing`),
  ];
  if (names.length > 0) return names;
  const numbers = distribution.map(({ probability }) => probability);
  return exclusive ? sumProblems(field, numbers) : fractionProblems(field, numbers);
}

function sumProblems(field: string, percents: readonly number[]): string[] {
  const sum = percents.reduce((total, percent) => total + percent, 0);
  if (atLeast(distributionSumTolerancePercent, Math.abs(sum - 100))) return [];
  if (atLeast(distributionSumTolerancePercent / 100, Math.abs(sum - 1))) return [fractions(field)];
  return [`${field}: its probabilities add up to ${roundTo(sum, 1)}, not to 100`];
}

/** Independent questions have no sum to betray fractions; but nobody means 0.7 % by 0.7 for every one of them. */
function fractionProblems(field: string, percents: readonly number[]): string[] {
  const suspect = percents.every(percent => percent <= 1) && percents.some(percent => percent % 1 !== 0);
  return suspect ? [`${fractions(field)}; write a percent below 1 as 0 or 1`] : [];
}

function fractions(field: string): string {
  return `${field}: its probabilities look like fractions; they must be percents from 0 to 100`;
}
