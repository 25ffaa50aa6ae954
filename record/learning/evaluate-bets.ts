import { compareWithMarket } from '../../council/conclusion/conclude.js';
import { consensus } from '../../council/conclusion/consensus.js';
import type { MarketEvent } from '../../council/event.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { impliedDistribution } from '../../council/market/prices.js';
import { at, roundDistribution } from '../../council/numbers.js';
import { oneMarketEvent } from '../../council/one-market-event.js';
import type { Bet } from '../../council/report.js';
import { type ClusteredMean, clusteredMean } from '../figures/intervals.js';
import type { ResolvedQuestion } from './evaluate.js';
import { type QuestionEstimates, questionSet } from './question-sets.js';

/** What the bets of reports on the questions would have claimed and earned, with one dollar on each. */
export interface EvaluatedBets extends BetResults {
  readonly by_kind: Readonly<Record<Bet['kind'], BetResults>>;
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
 * The bets of reports on these questions: none in conflict with the market, by the same rules as in a report. Each
 * market has a book of one cent to either side of its price and no fee, so that a share costs its price and one cent.
 */
export function evaluateBets(
  questions: readonly ResolvedQuestion[],
  estimates: QuestionEstimates,
): EvaluatedBets {
  const all = betResults();
  const kinds = { edge: betResults(), pick: betResults() };
  for (const [index, question] of questions.entries()) {
    for (const bet of betsOn(question, at(estimates, index))) {
      const event = question.event ?? question.id;
      const won = (bet.side === 'BUY_YES') === (question.outcome === 1);
      all.add(event, bet, won);
      kinds[bet.kind].add(event, bet, won);
    }
  }
  return { ...all.finish(), by_kind: { edge: kinds.edge.finish(), pick: kinds.pick.finish() } };
}

function betsOn(question: ResolvedQuestion, estimate: number | null): readonly Bet[] {
  const resolved = questionSet(question);
  if (resolved === null || question.market === null || estimate === null) return [];
  const set = outcomeSet(eventOf(question.market));
  const fractions = [estimate, 1 - estimate];
  return compareWithMarket({
    set,
    queried: at(set.markets, 0),
    council: consensus(
      set,
      resolved.members.map(member => ({ fractions: member })),
    ),
    market: impliedDistribution(set),
    priced: { fractions, percents: roundDistribution(fractions) },
    quoteAgeSeconds: 0,
    degraded: false,
  }).topBets;
}

const halfSpread = 0.01;

/** An event with one market at this price. */
function eventOf(price: number): MarketEvent {
  return oneMarketEvent(
    { id: 'question', title: 'question', description: '' },
    { bestBid: price - halfSpread, bestAsk: price + halfSpread, lastTrade: price },
  );
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
