import { type ImpliedDistribution, impliedDistribution } from '../market/implied-distribution.js';
import type { AskedMarket, OutcomeSet } from '../market/outcome-set.js';
import { conflictFavouritePoints, conflictTotalVariation, marketFavouriteTiePoints } from '../method.js';
import { at, atLeast, indexOfMax, totalVariation } from '../numbers.js';
import type { Bet } from '../report.js';
import { type BetOptions, bets, type ComparedMarket } from './bets.js';
import type { Consensus } from './consensus.js';

export interface MarketComparisonInput {
  readonly set: OutcomeSet;
  readonly queried: AskedMarket;
  readonly council: Consensus;
  readonly quoteAgeSeconds: number;
  readonly degraded: boolean;
}

/** The council's answer held against the market's prices. */
export interface MarketComparison {
  readonly market: ImpliedDistribution;
  readonly conflict: boolean;
  /** Indices of the outcomes that headline and verdict speak of. */
  readonly focus: readonly number[];
  readonly headline: { readonly outcome: string; readonly percent: number };
  /** Percent, of the queried market's YES. */
  readonly probability: number;
  readonly topBets: readonly Bet[];
}

/**
 * The headline is the council's most probable outcome; on an event of independent markets, the market of the
 * highest YES. Equals: the first by name.
 *
 * A conflict is looked for on an exclusive event as a whole, on independent markets for the headline market and
 * the queried one, each by itself. In conflict headline and probability are the market's (where it has one), and
 * nothing is bet on. Any other independent market on which the two clash carries no bet.
 */
export function compareWithMarket({
  set,
  queried,
  council,
  quoteAgeSeconds,
  degraded,
}: MarketComparisonInput): MarketComparison {
  const market = impliedDistribution(set);
  const favourite = indexOfMax(council.fractions);
  const focus = [favourite, queried.yesIndex];
  const clashes = conflictsByOutcome(set.exclusive, council.fractions, market);
  const conflict = focus.some(index => at(clashes, index));

  const markets = conflict ? [] : set.markets.filter(({ yesIndex }) => !at(clashes, yesIndex));
  const topBets = bets(
    markets.map(asked => judgedMarket(asked, council, market)),
    { favourite: favouriteBet(set, favourite), quoteAgeSeconds, degraded },
  );
  return {
    market,
    conflict,
    focus,
    headline: headline(set, conflict ? market.favourite : null, {
      index: favourite,
      percent: at(council.percents, favourite),
    }),
    probability: probability(queried.yesIndex, conflict, council, market),
    topBets,
  };
}

interface Favourite {
  readonly index: number;
  readonly percent: number;
}

function headline(
  set: OutcomeSet,
  markets: Favourite | null,
  councils: Favourite,
): MarketComparison['headline'] {
  const { index, percent } = markets ?? councils;
  return { outcome: at(set.outcomes, index).name, percent };
}

function probability(
  index: number,
  conflict: boolean,
  council: Consensus,
  market: ImpliedDistribution,
): number {
  const councils = at(council.percents, index);
  return conflict ? (at(market.percents, index) ?? councils) : councils;
}

function judgedMarket(
  { name, market, yesIndex }: AskedMarket,
  council: Consensus,
  implied: ImpliedDistribution,
): ComparedMarket {
  return {
    name,
    market,
    council: at(council.fractions, yesIndex),
    councilPercent: at(council.percents, yesIndex),
    implied: at(implied.fractions, yesIndex),
    impliedPercent: at(implied.percents, yesIndex),
    price: at(implied.prices, yesIndex),
  };
}

/** `Any other` is no market, and cannot be bet on. */
function favouriteBet(set: OutcomeSet, index: number): BetOptions['favourite'] {
  const { market, side } = at(set.outcomes, index);
  const asked = set.markets.find(each => each.market === market);
  return asked ? { market: asked.name, side: side === 'yes' ? 'BUY_YES' : 'BUY_NO' } : null;
}

/**
 * For every outcome, whether the market contradicts the council on it; aligned with the outcomes.
 * An exclusive set is judged as a whole. Independent markets are judged one by one, each as its own yes and no.
 * A market that cannot be trusted contradicts nobody.
 *
 * @param council pooled probabilities (0..1), unrounded
 */
export function conflictsByOutcome(
  exclusive: boolean,
  council: readonly number[],
  market: ImpliedDistribution,
): boolean[] {
  if (exclusive) {
    const clash = market.trustworthy && conflict(council, market.fractions.map(orNothing));
    return council.map(() => clash);
  }
  return council.map((p, index) => {
    const q = at(market.fractions, index);
    return q !== null && at(market.firm, index) && conflict([p, 1 - p], [q, 1 - q]);
  });
}

/** A price that is missing where the others add up to 1 leaves nothing for its outcome. */
function orNothing(p: number | null): number {
  return p ?? 0;
}

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
