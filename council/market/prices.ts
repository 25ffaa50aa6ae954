import type { FeeSchedule, Market, MarketEvent } from '../event.js';
import { impliedSumMax, impliedSumMin, spreadTrusted } from '../method.js';
import { at, atLeast, indexOfMax, roundDistribution, roundTo, sum } from '../numbers.js';
import type { MarketImpliedBasis } from '../report.js';
import { type CouncilMarket, type CouncilOutcome, type OutcomeSet, outcomeSet } from './outcome-set.js';

/** The market's prices as probabilities of the outcomes, with which every list is aligned. */
export interface ImpliedDistribution {
  readonly basis: MarketImpliedBasis;
  /** Each outcome's own price (0..1) as quoted, never normalised. */
  readonly prices: readonly (number | null)[];
  /** Probabilities (0..1), unrounded; all null if the prices imply no distribution. */
  readonly fractions: readonly (number | null)[];
  /** The same in percent, as published. */
  readonly percents: readonly (number | null)[];
  /** True if the price is the middle of a tight book rather than an old trade. */
  readonly firm: readonly boolean[];
  /** The most probable outcome; null if nothing is implied. On independent markets only firm prices count. */
  readonly favourite: MarketFavourite | null;
  /** The prices imply probabilities and the favourite's price is firm, so they may overrule the council. */
  readonly trustworthy: boolean;
}

interface MarketFavourite {
  readonly index: number;
  /** The published percentage. */
  readonly percent: number;
}

/**
 * Reads prices as probabilities. The prices of an exclusive set are normalised if they add up to 0.9–1.1;
 * otherwise nothing is implied. The prices of independent markets are taken unchanged, because their sum has
 * no meaning. An outcome without a price stays null: if the other prices add up, its probability is small.
 *
 * `Any other` has the price that the listed prices leave of 1; see {@link remainder}.
 */
export function impliedDistribution(set: OutcomeSet): ImpliedDistribution {
  const prices = set.outcomes.map(outcome => priceOf(outcome, set));
  const firm = set.outcomes.map(({ market }) => market !== null && orderBook(market).tight);
  const basis = basisOf(set, prices);
  const fractions = fractionsOf(basis, prices);
  const percents = percentsOf(basis, fractions);
  const favourite = favouriteOf(
    set.exclusive ? fractions : fractions.map((p, i) => (firm[i] ? p : null)),
    percents,
  );
  const trustworthy = favourite !== null && at(firm, favourite.index);
  return { basis, prices, fractions, percents, firm, favourite, trustworthy };
}

/**
 * The market that a report's verdict is about: the event's only market, or the market's favourite, which is
 * the one with the highest price. If no market has a price, the one with the largest volume. Ties: the first
 * by name.
 * @returns null only if the event has no market left to trade
 */
export function queriedMarket(event: MarketEvent): CouncilMarket | null {
  const set = outcomeSet(event);
  const { prices } = impliedDistribution(set);
  const byPrice = indexOfMax(set.markets.map(({ yesIndex }) => prices[yesIndex] ?? null));
  const byVolume = indexOfMax(set.markets.map(({ market }) => market.volume));
  return set.markets[byPrice] ?? set.markets[byVolume] ?? null;
}

function priceOf({ market, side }: CouncilOutcome, set: OutcomeSet): number | null {
  const price = market === null ? remainder(set) : impliedPrice(market);
  return price !== null && side === 'no' ? 1 - price : price;
}

function totalPrice(markets: readonly Market[]): number | null {
  const prices = markets.map(impliedPrice).filter(price => price !== null);
  return prices.length === 0 ? null : sum(prices);
}

/**
 * What the listed prices leave of 1, at least 0: the price of whatever is not listed. Null unless the listed prices are
 * complete enough: each listed market has a price; with the prices of the markets left out, they add up to at most
 * 1.1; and they reach 0.9, or all come from tight books. Below 0.9, an old trade could be what is missing.
 */
function remainder(set: OutcomeSet): number | null {
  const listed = set.markets.map(({ market }) => market);
  const known = listed.map(impliedPrice).filter(price => price !== null);
  const total = sum(known);
  const withLeftOut = total + (totalPrice(set.leftOut) ?? 0);
  const reachesOne = atLeast(withLeftOut, impliedSumMin) || listed.every(market => orderBook(market).tight);
  const isComplete = known.length === listed.length && reachesOne && atLeast(impliedSumMax, withLeftOut);
  return isComplete ? Math.max(0, 1 - total) : null;
}

function basisOf(set: OutcomeSet, prices: readonly (number | null)[]): MarketImpliedBasis {
  const known = prices.filter(price => price !== null);
  if (known.length === 0) return 'no_price';
  if (!set.exclusive) return 'independent';
  const total = sum(known);
  const unlisted = set.hasAnyOther && prices.at(-1) === null ? totalPrice(set.leftOut) : null;
  const isInRange = atLeast(total, impliedSumMin) && atLeast(impliedSumMax, total + (unlisted ?? 0));
  return isInRange ? 'normalised' : 'sum_out_of_range';
}

function fractionsOf(basis: MarketImpliedBasis, prices: readonly (number | null)[]): (number | null)[] {
  if (basis === 'independent') return [...prices];
  if (basis !== 'normalised') return prices.map(() => null);
  const total = sum(prices.map(price => price ?? 0));
  return prices.map(price => (price === null ? null : price / total));
}

function percentsOf(basis: MarketImpliedBasis, fractions: readonly (number | null)[]): (number | null)[] {
  if (basis !== 'normalised') return fractions.map(p => (p === null ? null : roundTo(p * 100, 1)));
  // An outcome without a price gets no tenth: its share of 0 has no remainder.
  const rounded = roundDistribution(fractions.map(p => p ?? 0));
  return fractions.map((p, index) => (p === null ? null : at(rounded, index)));
}

function favouriteOf(
  fractions: readonly (number | null)[],
  percents: readonly (number | null)[],
): MarketFavourite | null {
  const index = indexOfMax(fractions);
  const percent = percents[index] ?? null;
  return percent === null ? null : { index, percent };
}

/** The best offers on a market's YES, as fractions of a dollar. */
export interface OrderBook {
  readonly bid: number | null;
  readonly ask: number | null;
  /** Both sides are quoted, uncrossed and at most 0.10 apart, so the book has a price. */
  readonly tight: boolean;
}

/** Reads a market's book. A bid of 0 or an ask of 1 is an empty side. A closed market has no book. */
export function orderBook(market: Market): OrderBook {
  if (market.status !== 'open' || market.placeholder) return { bid: null, ask: null, tight: false };
  const bid = tradable(market.bestBid);
  const ask = tradable(market.bestAsk);
  const tight = bid !== null && ask !== null && bid <= ask && atLeast(spreadTrusted, ask - bid);
  return { bid, ask, tight };
}

/** Feeds print 0 and 1 when nothing has traded or the market is settled. */
function tradable(price: number | null): number | null {
  return price !== null && price > 0 && price < 1 ? price : null;
}

/**
 * The market's probability of its YES, 0..1: the middle of a tight book; otherwise the last trade of an open
 * market; otherwise null. (The middle of an empty book quoted at 1 and 96 cents means nothing, and the last
 * trade of a closed market is a settlement print.)
 */
export function impliedPrice(market: Market): number | null {
  const { bid, ask, tight } = orderBook(market);
  if (tight && bid !== null && ask !== null) return (bid + ask) / 2;
  return market.status !== 'open' || market.placeholder ? null : tradable(market.lastTrade);
}

/** Cost of one share in dollars, fee included: YES at the ask, NO at 1 − bid. Null without an offer. */
export function shareCost(market: Market, side: 'BUY_YES' | 'BUY_NO'): number | null {
  const { bid, ask } = orderBook(market);
  const yesPrice = side === 'BUY_YES' ? ask : bid;
  if (yesPrice === null || market.takerFee === null) return null;
  const price = side === 'BUY_YES' ? yesPrice : 1 - yesPrice;
  return price + takerFee(price, market.takerFee);
}

/** Whether no bet can be priced: the fee of every market that trades is of a kind that is not known here. */
export function areFeesUnknown({ markets }: Pick<MarketEvent, 'markets'>): boolean {
  const trading = markets.filter(({ status, placeholder }) => status === 'open' && !placeholder);
  return trading.length > 0 && trading.every(market => market.takerFee === null);
}

/**
 * Taker fee of one share, in dollars: `rate · (p · (1 − p)) ^ exponent`, the formula that the venues publish, rounded up
 * where the venue rounds. The fee is the same for both sides, because p · (1 − p) does not change when p becomes 1 − p.
 */
export function takerFee(price: number, { rate, exponent, roundedUpToUsd }: FeeSchedule): number {
  const fee = rate * (price * (1 - price)) ** exponent;
  return roundedUpToUsd === undefined ? fee : roundUp(fee, roundedUpToUsd);
}

/** Binary fractions put 0.0175 a little above 175 steps of 0.0001, which is not a step more. */
function roundUp(amount: number, step: number): number {
  const steps = Math.ceil(amount / step - roundingTolerance);
  return Number((Math.max(0, steps) * step).toFixed(feeDecimals));
}

/** In steps: far above the error of a product of doubles, far below a fee that a venue would round up. */
const roundingTolerance = 1e-7;
const feeDecimals = 9;
