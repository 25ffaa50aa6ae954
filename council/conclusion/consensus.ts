import type { CrossReview, Opinion, OutcomeProbability } from '../deliberation/stages.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import type { ImpliedDistribution } from '../market/prices.js';
import {
  blendCouncilWeight,
  conflictFavouritePoints,
  conflictTotalVariation,
  marketFavouriteTiePoints,
  poolClampMax,
  poolClampMin,
} from '../method.js';
import { type CouncilModel, councilModels } from '../models.js';
import {
  at,
  atLeast,
  clamp,
  indexOfMax,
  roundDistribution,
  roundTo,
  scaledToOne,
  sum,
  totalVariation,
} from '../numbers.js';
import { makeMonotone } from './make-monotone.js';

/** The council's forecast, aligned with the outcomes. */
export interface Consensus {
  /** Probabilities (0..1), unrounded: every later rule computes with these. */
  readonly fractions: readonly number[];
  /** Percent with one decimal, as published. On an exclusive set they add up to exactly 100. */
  readonly percents: readonly number[];
}

/**
 * Pools the members' forecasts, and makes the result monotone on ladders. Takes no text and no price, so neither can
 * influence the consensus.
 *
 * @param set the outcomes, with which the forecasts are aligned; {@link twoSides} for those of one market
 */
export function consensus(
  { exclusive, ladders }: Pick<OutcomeSet, 'exclusive' | 'ladders'>,
  forecasts: readonly Pick<MemberForecast, 'fractions'>[],
): Consensus {
  const rows = forecasts.map(forecast => forecast.fractions);
  const fractions = makeMonotone(pool(rows, { exclusive }), ladders);
  const percents = exclusive ? roundDistribution(fractions) : fractions.map(p => roundTo(p * 100, 1));
  return { fractions, percents };
}

/** YES and NO of one market. */
export const twoSides = { exclusive: true, ladders: [] } as const;

/** One member's final forecast. */
export interface MemberForecast {
  readonly model: CouncilModel;
  /** Probabilities (0..1) aligned with the outcomes, as the member gave them: not normalised, not clamped. */
  readonly fractions: readonly number[];
  /** The same from its first opinion, before it read the others. */
  readonly first: readonly number[];
  /** 0..100, the member's own. */
  readonly confidence: number;
  /** The same from its first opinion. */
  readonly firstConfidence: number;
}

/**
 * The forecasts to pool, one per member, in the council's fixed order: the revised forecast, or the original
 * one if the review failed.
 * @throws RangeError when a stored answer lacks an outcome, which never gets a default number
 */
export function memberForecasts(
  set: OutcomeSet,
  opinions: Readonly<Partial<Record<CouncilModel, Opinion>>>,
  reviews: Readonly<Partial<Record<CouncilModel, CrossReview>>>,
): MemberForecast[] {
  const aligned = (distribution: readonly OutcomeProbability[]) =>
    set.outcomes.map(({ name }) => fractionOf(name, distribution));
  return councilModels.flatMap(model => {
    const opinion = opinions[model];
    if (!opinion) return [];
    const review = reviews[model];
    const distribution = review?.revisedDistribution ?? opinion.distribution;
    const confidence = review?.revisedConfidence ?? opinion.confidence;
    const first = aligned(opinion.distribution);
    return [
      { model, fractions: aligned(distribution), first, confidence, firstConfidence: opinion.confidence },
    ];
  });
}

function fractionOf(name: string, distribution: readonly OutcomeProbability[]): number {
  const entry = distribution.find(({ outcome }) => outcome === name);
  if (!entry) throw new RangeError('a distribution leaves out an outcome of the event');
  return entry.probability / 100;
}

interface PoolOptions {
  /** True: the rows are distributions. False: each column is a yes/no question of its own. */
  readonly exclusive: boolean;
  /** One per member; equal by default. */
  readonly weights?: readonly number[];
}

/**
 * Logarithmic opinion pool (Genest and Zidek 1986): the normalised weighted geometric mean of the members'
 * probabilities. With two outcomes this is the mean of their logits. Nothing is extremised. Terms are sorted
 * before they are added, so the order of the members does not change a single bit.
 *
 * @param members one row per member, one probability (0..1) per outcome; rows of an exclusive set are scaled
 *   to 1
 * @returns one probability (0..1) per outcome
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
    const floor = floorOf(column, outcomes);
    const terms = column.map((p, member) => at(weights, member) * Math.log(clamp(p, floor, poolClampMax)));
    return Math.exp(sortedSum(terms) / totalWeight);
  });
  return scaledToOne(means);
}

/**
 * The lowest probability that counts in the pool, because a 0 would be a veto: always 0.01 with two outcomes.
 * With many outcomes, one to which no member gives 1 % is raised only to the highest probability that a
 * member gives it, and never below 2 % / n. A flat floor of 1 % on forty long shots would take away most of
 * the favourite's probability.
 */
function floorOf(column: readonly number[], outcomes: number): number {
  const evenShare = (2 * poolClampMin) / outcomes;
  return Math.min(poolClampMin, Math.max(evenShare, ...column));
}

/** By insertion: there are few terms and very many sums, and a sort would need memory for each of them. */
function sortedSum(terms: readonly number[]): number {
  const sorted = [...terms];
  for (const [index, term] of terms.entries()) {
    let place = index;
    for (; place > 0 && at(sorted, place - 1) > term; place -= 1) sorted[place] = at(sorted, place - 1);
    sorted[place] = term;
  }
  return sum(sorted);
}

/**
 * The blend that is graded beside council and market: 20 % council, 80 % market, in logits. Never the
 * headline.
 *
 * @param council and market: aligned probabilities (0..1)
 */
export function blend(council: readonly number[], market: readonly number[], exclusive: boolean): number[] {
  return pool([council, market], { exclusive, weights: [blendCouncilWeight, 1 - blendCouncilWeight] });
}

/**
 * For each outcome, whether council and market are in conflict. An exclusive set is compared as a whole,
 * independent markets one by one, each as its own YES and NO. A market that is not trustworthy causes no
 * conflict.
 *
 * @param council pooled probabilities (0..1), unrounded
 */
export function conflictsByOutcome(
  exclusive: boolean,
  council: readonly number[],
  market: ImpliedDistribution,
): boolean[] {
  if (exclusive) {
    // If the other prices add up to 1, an outcome without a price has probability 0.
    const implied = market.fractions.map(p => p ?? 0);
    const inConflict = market.trustworthy && conflict(council, implied);
    return council.map(() => inConflict);
  }
  return council.map((p, index) => {
    const q = at(market.fractions, index);
    return q !== null && at(market.firm, index) && conflict([p, 1 - p], [q, 1 - q]);
  });
}

/**
 * Whether the council is too far from the market to be followed. Either the total variation ½·Σ|council −
 * market| is 25 points or more; or the two have different favourites, and the council puts its own 10 points
 * or more above the market's. Market probabilities within one point of the highest are all favourites.
 *
 * @param council and market: aligned distributions (0..1, adding up to 1) over the same outcomes
 */
export function conflict(council: readonly number[], market: readonly number[]): boolean {
  return (
    atLeast(totalVariation(council, market), conflictTotalVariation) || favouritesDiffer(council, market)
  );
}

function favouritesDiffer(council: readonly number[], market: readonly number[]): boolean {
  const favourite = at(council, indexOfMax(council));
  const tied = at(market, indexOfMax(market)) - marketFavouriteTiePoints / 100;
  const marketFavourites = council.filter((_, index) => atLeast(at(market, index), tied));
  // The lead is 0 if the council's favourite is one of the market's.
  const lead = favourite - Math.max(...marketFavourites);
  return atLeast(lead, conflictFavouritePoints / 100);
}
