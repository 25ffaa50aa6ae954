import type { MarketOutcomes, RecordedBet } from './record.js';

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
