import type { CrossReview, Opinion, OutcomeProbability } from '../deliberation/stages.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import { blendCouncilWeight, poolClampMax, poolClampMin } from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at, roundDistribution, roundTo, scaledToOne } from '../numbers.js';

/** The council's answer, aligned with the outcomes. */
export interface Consensus {
  /** Probabilities (0..1), unrounded: what every later rule computes with. */
  readonly fractions: readonly number[];
  /** Percent with one decimal, as published; adding up to exactly 100 on an exclusive set. */
  readonly percents: readonly number[];
}

/** Pools the members' forecasts. No text of anybody, and no price, has a way in. */
export function consensus(
  exclusive: boolean,
  forecasts: readonly Pick<MemberForecast, 'fractions'>[],
): Consensus {
  const fractions = pool(
    forecasts.map(forecast => forecast.fractions),
    { exclusive },
  );
  const percents = exclusive ? roundDistribution(fractions) : fractions.map(p => roundTo(p * 100, 1));
  return { fractions, percents };
}

/** What one member thinks in the end. */
export interface MemberForecast {
  readonly model: CouncilModel;
  /** Probabilities (0..1) aligned with the outcomes, as the member gave them: not normalised, not clamped. */
  readonly fractions: readonly number[];
  /** The same of its first opinion, before it had read the others. */
  readonly first: readonly number[];
  /** 0..100, the member's own. */
  readonly confidence: number;
}

/**
 * The forecasts that are pooled, one a member, in the council's fixed order: the revised one, or the original
 * where the review failed.
 * @throws RangeError when a stored answer leaves an outcome out: never a default number
 */
export function memberForecasts(
  set: OutcomeSet,
  opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>,
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
): MemberForecast[] {
  return councilModels.flatMap(model => {
    const opinion = opinions[model];
    if (!opinion) return [];
    const review = reviews[model];
    const distribution = review?.revisedDistribution ?? opinion.distribution;
    const confidence = review?.revisedConfidence ?? opinion.confidence;
    const aligned = (given: readonly OutcomeProbability[]) =>
      set.outcomes.map(({ name }) => fractionOf(name, given));
    return [{ model, fractions: aligned(distribution), first: aligned(opinion.distribution), confidence }];
  });
}

function fractionOf(name: string, distribution: readonly OutcomeProbability[]): number {
  const given = distribution.find(({ outcome }) => outcome === name);
  if (!given) throw new RangeError('a distribution leaves out an outcome of the event');
  return given.probability / 100;
}

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

/**
 * The blend that is graded beside council and market: 20 % council, 80 % market, in logits. Never the headline.
 *
 * @param council and market: aligned probabilities (0..1)
 */
export function blend(council: readonly number[], market: readonly number[], exclusive: boolean): number[] {
  return pool([council, market], { exclusive, weights: [blendCouncilWeight, 1 - blendCouncilWeight] });
}
