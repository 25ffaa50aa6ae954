import { stakeDecimals, stakeEventMax, stakeKellyShare } from '../method.js';
import { at, floorTo, roundTo, sum } from '../numbers.js';
import type { Bet } from '../report.js';

/** What the stake of a bet depends on, as the report publishes it. */
export type StakedBet = Pick<Bet, 'side' | 'share_cost' | 'win_probability'>;

/**
 * The fraction of a bankroll for each bet of a report: a quarter of full Kelly, and 5 % for all of them together at
 * most. Above that they are scaled down in proportion. Each is rounded down to four decimals, so that the sum stays
 * within the limit. Published numbers alone go in, so that a reader of the report or of the record can redo them.
 *
 * @param bets on different markets of one event, at most five
 * @param exclusive whether exactly one outcome of the event happens
 * @returns fractions (0..0.05), aligned with the bets; 0 where a share costs what it is worth or more, or where other bets
 *   on an exclusive set do the same for less
 */
export function stakes(bets: readonly StakedBet[], exclusive: boolean): number[] {
  const shares = fullKelly(bets, exclusive).map(fraction => fraction * stakeKellyShare);
  const scale = Math.min(1, stakeEventMax / sum(shares));
  return shares.map(share => floorTo(share * scale, stakeDecimals));
}

/** The bets of a report with their stakes. */
export function withStakes(bets: readonly Bet[], exclusive: boolean): Bet[] {
  const fractions = stakes(bets, exclusive);
  return bets.map((bet, index) => ({ ...bet, stake_fraction: at(fractions, index) }));
}

/**
 * The stakes with the highest expected logarithm of wealth (Kelly 1956), unrounded.
 *
 * Of independent markets each is taken alone: f = (q − c) / (1 − c), with the probability q to win and the cost c of a
 * share. Those on an exclusive set are optimal together ({@link together}). A bet without an edge (q ≤ c) gets nothing
 * even there, where it could pay as a hedge: no report suggests to buy what costs more than it is worth.
 */
export function fullKelly(bets: readonly StakedBet[], exclusive: boolean): number[] {
  const legs = bets.map(legOf);
  if (!exclusive) return legs.map(leg => (hasEdge(leg) ? (leg.win - leg.cost) / (1 - leg.cost) : 0));
  const optimal = together(legs.filter(hasEdge).sort(inOneOrder));
  return legs.map(leg => optimal.get(leg) ?? 0);
}

/** A bet on one outcome (`short`: against it). */
interface Leg {
  readonly short: boolean;
  /** Probability of the outcome, 0..1. */
  readonly p: number;
  /** Probability that the bet is won. */
  readonly win: number;
  /** Dollars per share. */
  readonly cost: number;
}

type Stakes = ReadonlyMap<Leg, number>;

function legOf({ side, share_cost: cost, win_probability: percent }: StakedBet): Leg {
  const short = side === 'BUY_NO';
  // Without binary noise, so that 62.1 % has no edge at a cost of 0.621.
  const win = roundTo(percent / 100, 3);
  return { short, p: Math.max(leastP, short ? roundTo(1 - win, 3) : win), win, cost };
}

/** Stands for a published 0, far below what four decimals show: something may be lost in every outcome. */
const leastP = 1e-12;

function hasEdge({ win, cost }: Leg): boolean {
  return win > cost;
}

/** Without an outcome beyond two, one leg for the first pays as one against the second: the order must not decide. */
function inOneOrder(one: Leg, other: Leg): number {
  return Number(one.short) - Number(other.short) || one.p - other.p || one.cost - other.cost;
}

/**
 * The best of the stationary points on each selection of the legs. The optimum is one of them, because growth is concave
 * and stakes are limited by 0 and by the bankroll alone. Five legs have 32 selections.
 */
function together(legs: readonly Leg[]): Stakes {
  let best: Stakes = new Map();
  let highest = 0;
  for (let selection = 1; selection < 2 ** legs.length; selection += 1) {
    const chosen = legs.filter((_, index) => Math.floor(selection / 2 ** index) % 2 === 1);
    for (const candidate of [withCash(chosen), withoutCash(chosen)]) {
      if (!isPossible(candidate)) continue;
      const growth = growthOf(candidate);
      if (growth > highest) [best, highest] = [candidate, growth];
    }
  }
  return best;
}

/**
 * The stationary point at which a part of the bankroll is kept, in closed form. Let W be the wealth after an outcome, and
 * R (the reserve) that after one without a leg. A share of outcome k costs c, so Σ p/W = 1 over all outcomes and
 * p/W = c give W = p/c. A leg against it is the sale of a share at 1 − cost: W = p/(1 − cost). With P and C the sums of
 * these probabilities and prices, R = (1 − P) / (1 − C). Without sales this is the rule of Smoczynski and Tomkins
 * ("An explicit solution to the problem of optimizing the allocations of a bettor's wealth when wagering on horse races",
 * Mathematical Scientist 35, 2010).
 */
function withCash(legs: readonly Leg[]): Stakes {
  const prices = legs.map(({ short, cost }) => (short ? 1 - cost : cost));
  return stakesAt(legs, restOf(legs) / (1 - sum(prices)), cost => 1 - cost);
}

/**
 * The stationary point at which everything is staked, for two or more legs against outcomes, which pay together. A
 * dollar in hand is then worth λ < 1 dollars, a sale brings λ − cost, and nothing in hand makes the reserve R the sum of
 * the shares sold: (m − 1)·R = Σ p/(λ − cost) over the m sales. The other condition, λ = Σ p/W, rises in λ and is solved
 * by bisection, in which every step is exact arithmetic of doubles: the same bits everywhere.
 */
function withoutCash(legs: readonly Leg[]): Stakes {
  const sales = legs.filter(({ short }) => short);
  if (sales.length < 2) return new Map();
  const dearest = Math.max(...sales.map(({ cost }) => cost));
  const bought = sum(legs.map(({ short, cost }) => (short ? -cost : cost)));
  // λ is counted from the dearest sale, because the distance to it may be tiny.
  const saleAt = (above: number) => (cost: number) => above + (dearest - cost);
  const reserveAt = (above: number) =>
    sum(sales.map(({ p, cost }) => p / saleAt(above)(cost))) / (sales.length - 1);
  let [low, high] = [0, 1 - dearest];
  for (let step = 0; step < bisections; step += 1) {
    const middle = (low + high) / 2;
    const excess = restOf(legs) / reserveAt(middle) + bought + (sales.length - 1) * (dearest + middle);
    if (excess < 0) low = middle;
    else high = middle;
  }
  return stakesAt(legs, reserveAt(high), saleAt(high));
}

const bisections = 100;

/** What legs cost if wealth is `reserve` where they say nothing, and a sale at this cost brings so much. */
function stakesAt(legs: readonly Leg[], reserve: number, saleOf: (cost: number) => number): Stakes {
  const stakeOf = ({ short, p, cost }: Leg) =>
    short ? cost * (reserve - p / saleOf(cost)) : p - cost * reserve;
  return new Map(legs.map(leg => [leg, stakeOf(leg)]));
}

/** The probability that an outcome without a leg happens; exactly 0 where percents add up to 100. */
function restOf(legs: readonly Leg[]): number {
  return Math.max(0, roundTo(1 - sum(legs.map(({ p }) => p)), 6));
}

const rounding = 1e-9;

function isPossible(staked: Stakes): boolean {
  const fractions = [...staked.values()];
  return fractions.every(fraction => fraction >= 0) && sum(fractions) <= 1 + rounding;
}

/** The expected logarithm of the wealth that one dollar becomes. */
function growthOf(staked: Stakes): number {
  const legs = [...staked.keys()];
  const wealthIf = (happened: Leg | null) =>
    legs.reduce((wealth, leg) => {
      const fraction = staked.get(leg) ?? 0;
      const isWon = leg.short ? leg !== happened : leg === happened;
      return wealth - fraction + (isWon ? fraction / leg.cost : 0);
    }, 1);
  const term = (p: number, wealth: number) => (p === 0 ? 0 : p * Math.log(wealth));
  return legs.reduce((total, leg) => total + term(leg.p, wealthIf(leg)), term(restOf(legs), wealthIf(null)));
}
