import { type ClusteredMean, clusteredMean } from './clustered-mean.js';
import type { GradedBet } from './grade-bets.js';

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
