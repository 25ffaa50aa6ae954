import type { Market, MarketEvent } from '../event.js';
import { impliedSumMax, impliedSumMin } from '../method.js';
import { at, atLeast, indexOfMax, roundDistribution, roundTo } from '../numbers.js';
import type { MarketImpliedBasis } from '../report.js';
import { impliedPrice, orderBook } from './order-book.js';
import { type AskedMarket, type CouncilOutcome, type OutcomeSet, outcomeSet } from './outcome-set.js';

/** What the market makes of the outcomes the council was asked about; every list is aligned with them. */
export interface ImpliedDistribution {
  readonly basis: MarketImpliedBasis;
  /** Each outcome's own price (0..1) as quoted, never normalised. */
  readonly prices: readonly (number | null)[];
  /** Probabilities (0..1), unrounded; all null where the prices imply no distribution. */
  readonly fractions: readonly (number | null)[];
  /** The same in percent, as published. */
  readonly percents: readonly (number | null)[];
  /** The price is the middle of a tight book, not an old trade. */
  readonly firm: readonly boolean[];
  /** The most probable outcome; null where nothing is implied. Of independent markets, of those with a firm price. */
  readonly favourite: MarketFavourite | null;
  /** The prices imply probabilities, and the favourite's is firm: good enough to overrule the council. */
  readonly trustworthy: boolean;
}

export interface MarketFavourite {
  readonly index: number;
  /** As published. */
  readonly percent: number;
}

/**
 * Prices as probabilities. Only an exclusive set whose prices add up to 0.9–1.1 is normalised; outside of that
 * nothing is implied. Independent markets are taken as they are: their prices add up to anything.
 * An outcome without a price stays null: where the others add up, it holds little.
 */
export function impliedDistribution(set: OutcomeSet): ImpliedDistribution {
  const prices = set.outcomes.map(outcome => priceOf(outcome, set.leftOut));
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

function favouriteOf(
  fractions: readonly (number | null)[],
  percents: readonly (number | null)[],
): MarketFavourite | null {
  const index = indexOfMax(fractions);
  const percent = percents[index] ?? null;
  return percent === null ? null : { index, percent };
}

function priceOf({ market, side }: CouncilOutcome, leftOut: readonly Market[]): number | null {
  const price = market === null ? priceOfAll(leftOut) : impliedPrice(market);
  return price !== null && side === 'no' ? 1 - price : price;
}

/** `Any other` happens when any of the markets left out does. */
function priceOfAll(markets: readonly Market[]): number | null {
  const prices = markets.map(impliedPrice).filter(price => price !== null);
  return prices.length === 0 ? null : sum(prices);
}

function basisOf(set: OutcomeSet, prices: readonly (number | null)[]): MarketImpliedBasis {
  const known = prices.filter(price => price !== null);
  if (known.length === 0) return 'no_price';
  if (!set.exclusive) return 'independent';
  const total = sum(known);
  return atLeast(total, impliedSumMin) && atLeast(impliedSumMax, total) ? 'normalised' : 'sum_out_of_range';
}

function fractionsOf(basis: MarketImpliedBasis, prices: readonly (number | null)[]): (number | null)[] {
  if (basis === 'independent') return [...prices];
  if (basis !== 'normalised') return prices.map(() => null);
  const total = sum(prices.map(price => price ?? 0));
  return prices.map(price => (price === null ? null : price / total));
}

function percentsOf(basis: MarketImpliedBasis, fractions: readonly (number | null)[]): (number | null)[] {
  if (basis !== 'normalised') return fractions.map(p => (p === null ? null : roundTo(p * 100, 1)));
  // An outcome without a price takes no tenth: its share of 0 has no remainder.
  const rounded = roundDistribution(fractions.map(p => p ?? 0));
  return fractions.map((p, index) => (p === null ? null : at(rounded, index)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * The market a report's verdict is about: the only one, else the market's favourite, which is the one of the
 * highest price; where nothing has a price, the one of the largest volume. Equals: the first by name.
 * @returns null only where the event has no market left to trade
 */
export function queriedMarket(event: MarketEvent): AskedMarket | null {
  return favouriteMarket(outcomeSet(event));
}

function favouriteMarket(set: OutcomeSet): AskedMarket | null {
  const { prices } = impliedDistribution(set);
  const byPrice = indexOfMax(set.markets.map(({ yesIndex }) => prices[yesIndex] ?? null));
  const byVolume = indexOfMax(set.markets.map(({ market }) => market.volume));
  return set.markets[byPrice] ?? set.markets[byVolume] ?? null;
}
