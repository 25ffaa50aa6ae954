import { at } from './at.js';
import { poolClampMax, poolClampMin } from './method.js';
import { scaledToOne } from './scaled-to-one.js';

export interface PoolOptions {
  /** True: the rows are distributions. False: every column is a yes/no question by itself. */
  readonly exclusive: boolean;
  /** One a member; equal where left out. */
  readonly weights?: readonly number[];
}

/**
 * Logarithmic opinion pool: the normalised geometric mean of the members' probabilities, which for two outcomes is
 * the mean of their logits. Nothing is extremised. Exact under any order of the members: terms are sorted before
 * they are added.
 *
 * @param members one row a member, one probability (0..1) an outcome; rows of an exclusive set are scaled to 1
 * @returns one probability (0..1) an outcome
 */
export function pool(members: readonly (readonly number[])[], options: PoolOptions): number[] {
  const weights = options.weights ?? members.map(() => 1);
  if (options.exclusive) return logPool(members.map(scaledToOne), weights);
  return at(members, 0).map((_, index) => {
    const sides = members.map(row => [at(row, index), 1 - at(row, index)]);
    return at(logPool(sides, weights), 0);
  });
}

function logPool(rows: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const outcomes = at(rows, 0).length;
  const totalWeight = sortedSum(weights);
  const means = at(rows, 0).map((_, index) => {
    const column = rows.map(row => at(row, index));
    const lowest = floorOf(column, outcomes);
    const terms = column.map((p, member) => at(weights, member) * Math.log(clamp(p, lowest)));
    return Math.exp(sortedSum(terms) / totalWeight);
  });
  return scaledToOne(means);
}

/**
 * A probability of 0 would be a veto, so it counts as 0.01; of two outcomes always. Among many, what nobody gives
 * 1 % is lifted no higher than the member who believes in it most (and never below an even share of two such
 * floors): else forty long shots at 1 % each would take the favourite's probability.
 */
function floorOf(column: readonly number[], outcomes: number): number {
  const evenShare = (2 * poolClampMin) / outcomes;
  return Math.min(poolClampMin, Math.max(evenShare, ...column));
}

function clamp(p: number, lowest: number): number {
  return Math.min(poolClampMax, Math.max(lowest, p));
}

function sortedSum(terms: readonly number[]): number {
  return [...terms].sort((a, b) => a - b).reduce((sum, term) => sum + term, 0);
}
