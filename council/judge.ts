import { at } from './at.js';
import { type BetOptions, bets, type JudgedMarket } from './bets.js';
import type { Consensus } from './consensus.js';
import { contested } from './contested.js';
import { type ImpliedDistribution, impliedDistribution } from './implied-distribution.js';
import { indexOfMax } from './index-of-max.js';
import type { AskedMarket, OutcomeSet } from './outcome-set.js';
import type { Bet } from './report.js';

export interface JudgeInput {
  readonly set: OutcomeSet;
  readonly queried: AskedMarket;
  readonly council: Consensus;
  readonly quoteAgeSeconds: number;
  readonly degraded: boolean;
}

/** The council's answer held against the market's prices. */
export interface Judgement {
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
export function judge({ set, queried, council, quoteAgeSeconds, degraded }: JudgeInput): Judgement {
  const market = impliedDistribution(set);
  const favourite = indexOfMax(council.fractions);
  const focus = [favourite, queried.yesIndex];
  const clashes = contested(set.exclusive, council.fractions, market);
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

function headline(set: OutcomeSet, markets: Favourite | null, councils: Favourite): Judgement['headline'] {
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
): JudgedMarket {
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
