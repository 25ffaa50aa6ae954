import type { MarketEvent } from './event.js';
import { impliedDistribution } from './implied-distribution.js';
import { indexOfMax } from './index-of-max.js';
import { type AskedMarket, type OutcomeSet, outcomeSet } from './outcome-set.js';

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
