import { type ClusteredMean, clusteredMean } from './intervals.js';
import type { MarketOutcomes, RecordedBet } from './recorded-forecast.js';

/**
 * A dollar on every bet at the cost that the report named. Bets whose stake was given back are in no figure. A return
 * swings far more than a score does: long shots make it look good or bad for a long time.
 */
export interface BetReturns {
  readonly n: number;
  readonly events: number;
  /** Net dollars per dollar staked. */
  readonly mean_return_per_dollar: number | null;
  readonly interval_95: ClusteredMean['interval_95'];
}

export interface BetFigures extends BetReturns {
  readonly by_kind: Readonly<Record<GradedBet['kind'], BetReturns>>;
}

export interface BetFiguresSoFar {
  add(eventId: string, bets: readonly GradedBet[]): void;
  finish(): BetFigures;
}

export function betFigures(): BetFiguresSoFar {
  const all = clusteredMean();
  const kinds = { edge: clusteredMean(), pick: clusteredMean() };
  return {
    add: (eventId, bets) => {
      for (const { won, kind, return_per_dollar: value } of bets) {
        if (won === null) continue;
        all.add(eventId, value);
        kinds[kind].add(eventId, value);
      }
    },
    finish: () => ({
      ...returnsOf(all.finish()),
      by_kind: { edge: returnsOf(kinds.edge.finish()), pick: returnsOf(kinds.pick.finish()) },
    }),
  };
}

function returnsOf({ n, events, mean, interval_95 }: ClusteredMean): BetReturns {
  return { n, events, mean_return_per_dollar: mean, interval_95 };
}

/** What became of a dollar on one of the report's bets, at the cost that the report named. */
export interface GradedBet extends Pick<RecordedBet, 'market' | 'side' | 'kind'> {
  /** Null where the market was void or paid half: the stake counts as given back, and the bet in no figure. */
  readonly won: boolean | null;
  /** Net dollars: the recorded payout, −1 when lost, 0 when given back. */
  readonly return_per_dollar: number;
}

/** Grades the bets of a report whose outcomes are settled. */
export function gradedBets(bets: readonly RecordedBet[], outcomes: MarketOutcomes): GradedBet[] {
  return bets.map(bet => {
    const won = isWon(bet, outcomes);
    const { market, side, kind, payout_per_dollar: payout } = bet;
    return { market, side, kind, won, return_per_dollar: won === null ? 0 : won ? payout : -1 };
  });
}

function isWon({ market_id: market, side }: RecordedBet, outcomes: MarketOutcomes): boolean | null {
  const resolution = outcomes[market];
  if (resolution === 'void' || resolution === 'fifty_fifty') return null;
  // Not resolved itself, on a settled report: another outcome of its exclusive event happened, so this one did not.
  return side === (resolution === 'yes' ? 'BUY_YES' : 'BUY_NO');
}
