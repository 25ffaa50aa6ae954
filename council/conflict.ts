import { at } from './at.js';
import { atLeast } from './at-least.js';
import { indexOfMax } from './index-of-max.js';
import { conflictFavouritePoints, conflictTotalVariation, marketFavouriteTiePoints } from './method.js';
import { totalVariation } from './total-variation.js';

/**
 * Whether council and market disagree too hard for the council to be followed: its favourite is another than the
 * market's and it puts it 10 points or more above the market's; or 25 points or more of probability would have
 * to move to get from one to the other (total variation, ½·Σ|council − market|).
 * Market probabilities within a point of the highest are all its favourites.
 *
 * @param council and market: aligned distributions (0..1, adding up to 1) over the same outcomes
 */
export function conflict(council: readonly number[], market: readonly number[]): boolean {
  return atLeast(totalVariation(council, market), conflictTotalVariation) || favouritesClash(council, market);
}

function favouritesClash(council: readonly number[], market: readonly number[]): boolean {
  const favourite = at(council, indexOfMax(council));
  const enough = at(market, indexOfMax(market)) - marketFavouriteTiePoints / 100;
  // Where the council's favourite is one of the market's, the lead is 0.
  const marketFavourites = council.filter((_, index) => atLeast(at(market, index), enough));
  const lead = favourite - Math.max(...marketFavourites);
  return atLeast(lead, conflictFavouritePoints / 100);
}
