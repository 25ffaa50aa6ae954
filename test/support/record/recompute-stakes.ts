import { clustered, sum } from './recompute-intervals.js';
import type { GradedReport } from './recompute-scores.js';

/** What a bankroll has become that followed the stakes of the first report with one of each event, from the rows alone. */
export function stakesOf(graded: readonly GradedReport[]) {
  const seen = new Set<string>();
  const settled = graded.flatMap(({ row, event }) => {
    const bets = row.bets.filter((bet: any) => bet.won !== null && (bet.stake_fraction ?? 0) > 0);
    if (bets.length === 0 || seen.has(event)) return [];
    seen.add(event);
    const possible = possibleWins(bets, row.exclusive).map(wins => growth(bets, wins));
    return {
      event,
      bets: bets.length,
      value: growth(
        bets,
        bets.map((bet: any) => bet.won),
      ),
      width: Math.max(...possible) - Math.min(...possible),
    };
  });
  const { mean, ...rest } = clustered(settled, { slices: 1, rho: 0.1 });
  return {
    ...rest,
    n: sum(settled.map(({ bets }) => bets)),
    mean_log_growth: mean,
    bankroll: settled.reduce((dollars, { value }) => dollars * Math.exp(value), 1),
  };
}

/** Which bets are won, in each way in which the event can end. */
function possibleWins(bets: readonly any[], exclusive: boolean): boolean[][] {
  if (!exclusive) return [bets.map(() => true), bets.map(() => false)];
  const winners = [...bets.map(({ market_id }) => market_id), 'another'];
  return winners.map(winner =>
    bets.map(({ side, market_id }) => (side === 'BUY_YES') === (market_id === winner)),
  );
}

function growth(bets: readonly any[], wins: readonly boolean[]): number {
  const kept = 1 - sum(bets.map(({ stake_fraction }) => stake_fraction));
  const paid = bets.map(({ stake_fraction, payout_per_dollar }, index) =>
    wins[index] ? stake_fraction * (1 + payout_per_dollar) : 0,
  );
  return Math.log(kept + sum(paid));
}
