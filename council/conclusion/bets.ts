import type { Market } from '../event.js';
import { orderBook, shareCost } from '../market/prices.js';
import {
  edgeMinPoints,
  edgeMinPointsDegraded,
  edgeMinReturn,
  pickMinReturn,
  quoteFreshSeconds,
  shareCostMax,
  shareCostMin,
  topBetsMax,
} from '../method.js';
import { atLeast, roundTo } from '../numbers.js';
import type { Action, Bet } from '../report.js';
import { compareText } from '../text.js';

/** One market with the probabilities of its YES by the council, by the market and for bets. */
export interface ComparedMarket {
  readonly name: string;
  readonly market: Market;
  /** The council's probability of YES, as published (percent). */
  readonly councilPercent: number;
  /**
   * The probability of YES that bets are priced by: unrounded (0..1), and as published (percent). Null where
   * there is none, so that there is no bet.
   */
  readonly probability: number | null;
  readonly probabilityPercent: number | null;
  /** The market's probability in the same two forms; null if the prices imply none. */
  readonly implied: number | null;
  readonly impliedPercent: number | null;
  /** The market's own YES price (0..1), not normalised. */
  readonly price: number | null;
}

export interface BetOptions {
  /** The council's most likely outcome as a bet; null if the outcome is not a market. */
  readonly favourite: { readonly market: string; readonly side: Side } | null;
  readonly quoteAgeSeconds: number;
  readonly degraded: boolean;
}

/**
 * The bets of a report, at most five: every mispriced side (`edge`), and the council's favourite if it has no
 * edge and its price is fair (`pick`). Edges come first, ordered by log growth, return, slug and name.
 *
 * Thresholds and order use unrounded numbers. Only published numbers are rounded: prices, costs and returns
 * to six decimals, percents and points to one.
 */
export function bets(markets: readonly ComparedMarket[], options: BetOptions): Bet[] {
  const edges = markets.flatMap(market => sides.flatMap(side => edge(market, side, options)));
  const withEdge = new Set(edges.map(({ compared }) => compared));
  const picks = markets.filter(market => !withEdge.has(market)).flatMap(market => fairPick(market, options));
  return [...edges.sort(byGrowth), ...picks].slice(0, topBetsMax).map(published);
}

type Side = Bet['side'];

const sides: readonly Side[] = ['BUY_YES', 'BUY_NO'];

interface Candidate {
  readonly compared: ComparedMarket;
  readonly kind: Bet['kind'];
  readonly side: Side;
  readonly cost: number;
  readonly winProbability: number;
  readonly winPercent: number;
  readonly edgePoints: number;
  readonly impliedPercent: number;
  readonly price: number;
}

/** A mispriced side. Requires a fresh quote, a tight book and prices that imply a probability. */
function edge(compared: ComparedMarket, side: Side, options: BetOptions): Candidate[] {
  const { implied, impliedPercent } = compared;
  if (!isQuoted(compared, options) || implied === null || impliedPercent === null) return [];
  return candidate(compared, 'edge', side, implied, impliedPercent).filter(
    ({ cost, winProbability, edgePoints }) =>
      atLeast(edgePoints, options.degraded ? edgeMinPointsDegraded : edgeMinPoints) &&
      atLeast(winProbability / cost - 1, edgeMinReturn) &&
      atLeast(cost, shareCostMin) &&
      atLeast(shareCostMax, cost),
  );
}

/** A fresh quote and a tight book. */
function isQuoted({ market }: ComparedMarket, { quoteAgeSeconds }: BetOptions): boolean {
  return orderBook(market).tight && quoteAgeSeconds <= quoteFreshSeconds;
}

/** The favourite at a fair price, by the estimate. It claims no mispricing. */
function fairPick(compared: ComparedMarket, options: BetOptions): Candidate[] {
  const { implied, impliedPercent } = compared;
  const { favourite } = options;
  if (favourite === null || compared.name !== favourite.market || !isQuoted(compared, options)) return [];
  if (implied === null || impliedPercent === null) return [];
  return candidate(compared, 'pick', favourite.side, implied, impliedPercent).filter(
    ({ cost, winProbability }) => cost < 1 && atLeast(winProbability / cost - 1, pickMinReturn),
  );
}

/** Empty if the side has no offer or no probability. */
function candidate(
  compared: ComparedMarket,
  kind: Bet['kind'],
  side: Side,
  implied: number,
  impliedPercent: number,
): Candidate[] {
  const cost = shareCost(compared.market, side);
  const { price, probability, probabilityPercent } = compared;
  if (cost === null || price === null || probability === null || probabilityPercent === null) return [];
  const winProbability = side === 'BUY_YES' ? probability : 1 - probability;
  const impliedOfSide = side === 'BUY_YES' ? implied : 1 - implied;
  return [
    {
      compared,
      kind,
      side,
      cost,
      winProbability,
      winPercent: side === 'BUY_YES' ? probabilityPercent : roundTo(100 - probabilityPercent, 1),
      edgePoints: (winProbability - impliedOfSide) * 100,
      impliedPercent,
      price,
    },
  ];
}

function byGrowth(a: Candidate, b: Candidate): number {
  return (
    logGrowth(b.winProbability, b.cost) - logGrowth(a.winProbability, a.cost) ||
    b.winProbability / b.cost - a.winProbability / a.cost ||
    compareText(a.compared.market.slug, b.compared.market.slug) ||
    compareText(a.compared.name, b.compared.name)
  );
}

function published({
  compared,
  kind,
  side,
  cost,
  winProbability,
  winPercent,
  edgePoints,
  impliedPercent,
  price,
}: Candidate): Bet {
  return {
    side,
    market: compared.name,
    kind,
    yes_price: roundTo(price, 6),
    share_cost: roundTo(cost, 6),
    consensus_probability: compared.councilPercent,
    market_implied_probability: impliedPercent,
    edge_points: roundTo(edgePoints, 1),
    win_probability: winPercent,
    payout_per_dollar: roundTo((1 - cost) / cost, 6),
    expected_return_per_dollar: roundTo(winProbability / cost - 1, 6),
    slug: compared.market.slug,
  };
}

/**
 * Expected growth of log wealth at the optimal stake (Kelly 1956): q·ln(q/c) + (1−q)·ln((1−q)/(1−c)).
 * 0 if the share costs its expected value or more, because the optimal stake is then 0.
 *
 * @param q probability (0..1) that the share pays one dollar
 * @param c its cost (0..1)
 */
export function logGrowth(q: number, c: number): number {
  if (q <= c) return 0;
  return term(q, c) + term(1 - q, 1 - c);
}

/** x·ln(x/y), with limit 0 at x = 0. */
function term(x: number, y: number): number {
  return x === 0 ? 0 : x * Math.log(x / y);
}

/**
 * The action on the queried market: the side of its edge among the report's bets, otherwise `SKIP`. A pick
 * claims no mispricing, so it leads to no action.
 */
export function verdict(queriedMarket: string, bets: readonly Bet[]): Action {
  const edge = bets.find(({ market, kind }) => market === queriedMarket && kind === 'edge');
  return edge?.side ?? 'SKIP';
}
