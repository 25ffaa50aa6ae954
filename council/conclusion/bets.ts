import type { Market } from '../event.js';
import { orderBook, shareCost } from '../market/order-book.js';
import {
  edgeMinPoints,
  edgeMinPointsDegraded,
  edgeMinReturn,
  quoteFreshSeconds,
  shareCostMax,
  shareCostMin,
  topBetsMax,
} from '../method.js';
import { atLeast, roundTo } from '../numbers.js';
import type { Action, Bet } from '../report.js';
import { compareText } from '../text.js';

/** One market with what the council and the market itself make of its YES. */
export interface ComparedMarket {
  readonly name: string;
  readonly market: Market;
  /** The council's probability of YES: unrounded (0..1), and as published (percent). */
  readonly council: number;
  readonly councilPercent: number;
  /** The market's, the same two ways; null where the prices imply none. */
  readonly implied: number | null;
  readonly impliedPercent: number | null;
  /** The market's own YES price (0..1), not normalised. */
  readonly price: number | null;
}

export interface BetOptions {
  /** The council's most likely outcome as a bet; null where no market stands for it. */
  readonly favourite: { readonly market: string; readonly side: Side } | null;
  readonly quoteAgeSeconds: number;
  readonly degraded: boolean;
}

/**
 * The bets worth naming, at most five: every side that is mispriced (`edge`), and the council's favourite where
 * it has no edge and is not overpriced either (`pick`). Edges first, then by log growth, return and slug.
 *
 * Gates and ranks are computed on unrounded numbers; only what is published is rounded (prices, costs and
 * returns to six decimals, percents and points to one), so a bet can be redone from the report up to that.
 */
export function bets(markets: readonly ComparedMarket[], options: BetOptions): Bet[] {
  const edges = markets.flatMap(market => sides.flatMap(side => edge(market, side, options)));
  const claimed = new Set(edges.map(({ judged }) => judged));
  const picks = markets.filter(market => !claimed.has(market)).flatMap(market => pick(market, options));
  return [...edges.sort(byWorth), ...picks].slice(0, topBetsMax).map(published);
}

type Side = Bet['side'];

const sides: readonly Side[] = ['BUY_YES', 'BUY_NO'];

interface Candidate {
  readonly judged: ComparedMarket;
  readonly kind: Bet['kind'];
  readonly side: Side;
  readonly cost: number;
  readonly wins: number;
  readonly edgePoints: number;
  readonly impliedPercent: number;
  readonly price: number;
}

/** Needs a market price to be wrong: a fresh, tight book, and prices that imply a probability. */
function edge(judged: ComparedMarket, side: Side, options: BetOptions): Candidate[] {
  const { implied, impliedPercent } = judged;
  const quoted = orderBook(judged.market).tight && options.quoteAgeSeconds <= quoteFreshSeconds;
  if (!quoted || implied === null || impliedPercent === null) return [];
  return candidate(judged, 'edge', side, implied, impliedPercent).filter(
    ({ cost, wins, edgePoints }) =>
      atLeast(edgePoints, options.degraded ? edgeMinPointsDegraded : edgeMinPoints) &&
      atLeast(wins / cost - 1, edgeMinReturn) &&
      atLeast(cost, shareCostMin) &&
      atLeast(shareCostMax, cost),
  );
}

/** The favourite at a fair price: the council does not think it overpriced by as much as an edge would be. */
function pick(judged: ComparedMarket, { favourite }: BetOptions): Candidate[] {
  const { price } = judged;
  if (favourite === null || judged.name !== favourite.market || price === null) return [];
  const implied = judged.implied ?? price;
  const impliedPercent = judged.impliedPercent ?? roundTo(price * 100, 1);
  return candidate(judged, 'pick', favourite.side, implied, impliedPercent).filter(
    ({ cost, edgePoints }) => cost < 1 && !atLeast(-edgePoints, edgeMinPoints),
  );
}

/** None where nobody offers the side. */
function candidate(
  judged: ComparedMarket,
  kind: Bet['kind'],
  side: Side,
  implied: number,
  impliedPercent: number,
): Candidate[] {
  const cost = shareCost(judged.market, side);
  const { price, council } = judged;
  if (cost === null || price === null) return [];
  const wins = side === 'BUY_YES' ? council : 1 - council;
  const impliedOfSide = side === 'BUY_YES' ? implied : 1 - implied;
  return [
    { judged, kind, side, cost, wins, edgePoints: (wins - impliedOfSide) * 100, impliedPercent, price },
  ];
}

function byWorth(a: Candidate, b: Candidate): number {
  return (
    logGrowth(b.wins, b.cost) - logGrowth(a.wins, a.cost) ||
    b.wins / b.cost - a.wins / a.cost ||
    compareText(a.judged.market.slug, b.judged.market.slug) ||
    compareText(a.judged.name, b.judged.name)
  );
}

function published({ judged, kind, side, cost, wins, edgePoints, impliedPercent, price }: Candidate): Bet {
  const yesPercent = judged.councilPercent;
  return {
    side,
    market: judged.name,
    kind,
    yes_price: roundTo(price, 6),
    share_cost: roundTo(cost, 6),
    consensus_probability: yesPercent,
    market_implied_probability: impliedPercent,
    edge_points: roundTo(edgePoints, 1),
    win_probability: side === 'BUY_YES' ? yesPercent : roundTo(100 - yesPercent, 1),
    payout_per_dollar: roundTo((1 - cost) / cost, 6),
    expected_return_per_dollar: roundTo(wins / cost - 1, 6),
    slug: judged.market.slug,
  };
}

/**
 * Growth of the logarithm of wealth for the best possible stake (Kelly): q·ln(q/c) + (1−q)·ln((1−q)/(1−c)).
 * 0 where the share costs what it is worth or more, for then the best stake is none.
 *
 * @param q probability (0..1) that the share pays one dollar
 * @param c what it costs (0..1)
 */
export function logGrowth(q: number, c: number): number {
  if (q <= c) return 0;
  return term(q, c) + term(1 - q, 1 - c);
}

/** x·ln(x/y), which is 0 at x = 0. */
function term(x: number, y: number): number {
  return x === 0 ? 0 : x * Math.log(x / y);
}

/**
 * The action on the queried market alone: the side on which it carries an edge among the report's bets, else
 * `SKIP`. A pick claims no mispricing and makes nobody buy.
 */
export function verdict(queriedMarket: string, bets: readonly Bet[]): Action {
  const edge = bets.find(({ market, kind }) => market === queriedMarket && kind === 'edge');
  return edge?.side ?? 'SKIP';
}
