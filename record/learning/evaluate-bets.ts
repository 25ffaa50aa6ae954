import { compareWithMarket } from '../../council/conclusion/conclude.js';
import { withStakes } from '../../council/conclusion/stakes.js';
import { type OutcomeSet, outcomeSet } from '../../council/market/outcome-set.js';
import { impliedDistribution, queriedMarket } from '../../council/market/prices.js';
import { at, roundDistribution, roundTo } from '../../council/numbers.js';
import type { Bet } from '../../council/report.js';
import { eventNumbers } from '../figures/event-mean.js';
import { type ClusteredMean, clusteredMean } from '../figures/intervals.js';
import { type StakeFigures, stakeFiguresBuilder } from '../figures/stake-figures.js';
import type { QuestionEstimates } from './question-sets.js';
import {
  eventOf,
  type PooledReport,
  poolReport,
  questionsOf,
  type ResolvedReport,
} from './resolved-reports.js';

/** What the bets of reports on the questions would have claimed and earned, with one dollar on each. */
export interface EvaluatedBets extends BetResults {
  readonly by_kind: Readonly<Record<Bet['kind'], BetResults>>;
  /** A bankroll that follows the stakes of the first report of each event that has one. */
  readonly stakes: StakeFigures;
}

/** Means over n bets, null if n is 0. Intervals (95 %) are drawn by event; null below two events. */
export interface BetResults {
  readonly n: number;
  readonly events: number;
  /** Mean of `win_probability`, 0 to 1. */
  readonly claimed_win_rate: number | null;
  /** Share of the bets that were won. */
  readonly actual_win_rate: number | null;
  readonly actual_win_rate_interval_95: ClusteredMean['interval_95'];
  /** A value below 0 means that the bets won less often than they claimed. */
  readonly actual_minus_claimed: number | null;
  readonly actual_minus_claimed_interval_95: ClusteredMean['interval_95'];
  /** Mean of `expected_return_per_dollar`. */
  readonly claimed_return_per_dollar: number | null;
  readonly realised_return_per_dollar: number | null;
  readonly realised_return_interval_95: ClusteredMean['interval_95'];
}

/**
 * The bets of these reports: none in conflict with the market, by the same rules as in a live one. Each market has the
 * book of `eventOf`, so that a share costs its price and one cent.
 *
 * @param estimates aligned with the questions of the reports (`questionsOf`)
 */
export function evaluateBets(
  reports: readonly ResolvedReport[],
  estimates: QuestionEstimates,
): EvaluatedBets {
  const all = betResults();
  const kinds = { edge: betResults(), pick: betResults() };
  const stakes = stakeFiguresBuilder();
  const events = eventNumbers();
  let place = 0;
  for (const report of reports) {
    const questions = questionsOf(report).length;
    const placed = betsOn(report, estimates.slice(place, place + questions));
    for (const { bet, won } of placed) {
      all.add(report.event, bet, won);
      kinds[bet.kind].add(report.event, bet, won);
    }
    const staked = placed.map(({ bet }) => ({ ...bet, market_id: bet.market }));
    stakes.add(events.numberOf(report.event), { exclusive: report.exclusive, bets: staked }, placed);
    place += questions;
  }
  const by_kind = { edge: kinds.edge.finish(), pick: kinds.pick.finish() };
  return { ...all.finish(), by_kind, stakes: stakes.finish() };
}

interface PlacedBet {
  readonly bet: Bet;
  readonly won: boolean;
}

function betsOn(report: ResolvedReport, estimates: QuestionEstimates): PlacedBet[] {
  const event = eventOf(report);
  const [set, queried] = [outcomeSet(event), queriedMarket(event)];
  const pooled = poolReport(report, set);
  if (pooled === null || queried === null || estimates.every(each => each === null)) return [];
  const { topBets } = compareWithMarket({
    set,
    queried,
    council: pooled.consensus,
    market: impliedDistribution(set),
    priced: pricedBy(estimates, set, pooled),
    quoteAgeSeconds: 0,
    degraded: false,
  });
  const placeOf = new Map(set.markets.map(({ name, yesIndex }) => [name, pooled.places.indexOf(yesIndex)]));
  return withStakes(topBets, set.exclusive).map(bet => {
    const { outcome } = at(report.markets, placeOf.get(bet.market) ?? -1);
    return { bet, won: (bet.side === 'BUY_YES') === (outcome === 1) };
  });
}

/** The estimates in the order of the set. */
function pricedBy(
  estimates: QuestionEstimates,
  { exclusive, outcomes }: OutcomeSet,
  { places }: PooledReport,
) {
  const estimate = estimates[0] ?? null;
  if (exclusive && estimate !== null) {
    const isOne = places.length === 1;
    const fractions = isOne ? estimate : outcomes.map((_, place) => at(estimate, places.indexOf(place)));
    return { fractions, percents: roundDistribution(fractions) };
  }
  const fractions = outcomes.map((_, place) => at(estimates, places.indexOf(place))?.[0] ?? null);
  return { fractions, percents: fractions.map(p => (p === null ? null : roundTo(p * 100, 1))) };
}

function betResults() {
  const [claimed, actual, difference] = [clusteredMean(), clusteredMean(), clusteredMean()];
  const [claimedReturn, realised] = [clusteredMean(), clusteredMean()];
  return {
    add: (event: string, bet: Bet, won: boolean) => {
      const probability = bet.win_probability / 100;
      claimed.add(event, probability);
      actual.add(event, won ? 1 : 0);
      difference.add(event, (won ? 1 : 0) - probability);
      claimedReturn.add(event, bet.expected_return_per_dollar);
      realised.add(event, won ? bet.payout_per_dollar : -1);
    },
    finish: (): BetResults => {
      const { n, events, mean, interval_95 } = actual.finish();
      const [missed, earned] = [difference.finish(), realised.finish()];
      return {
        n,
        events,
        claimed_win_rate: claimed.finish().mean,
        actual_win_rate: mean,
        actual_win_rate_interval_95: interval_95,
        actual_minus_claimed: missed.mean,
        actual_minus_claimed_interval_95: missed.interval_95,
        claimed_return_per_dollar: claimedReturn.finish().mean,
        realised_return_per_dollar: earned.mean,
        realised_return_interval_95: earned.interval_95,
      };
    },
  };
}
