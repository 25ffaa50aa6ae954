import { at } from '../../council/numbers.js';
import type { GradedBet } from '../grades/grade.js';
import type { RecordedBet } from '../recorded-forecast.js';
import { type EventMean, eventMean, type Interval, meanOfEvents, votesByEvent } from './event-mean.js';

/**
 * Returns of one dollar staked on each bet at the cost that the report named. Bets whose stake was returned
 * do not count. Returns vary far more than scores, so long shots make them look good or bad for a long time.
 */
interface BetReturns {
  /** Number of bets. */
  readonly n: number;
  readonly events: number;
  /** Net dollars per dollar staked: the mean over the events, of the mean of each event's bets. */
  readonly mean_return_per_dollar: number | null;
  readonly interval_95: Interval;
  readonly confidence_sequence_95: Interval;
  readonly claims: BetClaims;
}

/**
 * What bets claimed, beside what came of them, on the bets that were recorded with a win probability. The mean is the
 * actual win rate minus the claimed one, 0..1: below 0, bets won less often than claimed.
 */
interface BetClaims extends EventMean {
  readonly claimed_win_rate: number | null;
  readonly actual_win_rate: number | null;
  readonly claimed_return_per_dollar: number | null;
  readonly actual_return_per_dollar: number | null;
}

export interface BetFigures extends BetReturns {
  readonly by_kind: Readonly<Record<GradedBet['kind'], BetReturns>>;
}

interface BetFiguresBuilder {
  /** @param recorded aligned with `graded` */
  add(event: number, recorded: readonly RecordedBet[], graded: readonly GradedBet[]): void;
  finish(): BetFigures;
}

export function betFiguresBuilder(): BetFiguresBuilder {
  const all = returnsBuilder(1);
  const kinds = { edge: returnsBuilder(2), pick: returnsBuilder(2) };
  return {
    add: (event, recorded, graded) => {
      for (const [index, { won, kind, return_per_dollar }] of graded.entries()) {
        if (won === null) continue;
        const bet = { ...at(recorded, index), won, return_per_dollar };
        all.add(event, bet);
        kinds[kind].add(event, bet);
      }
    },
    finish: () => ({
      ...all.finish(),
      by_kind: { edge: kinds.edge.finish(), pick: kinds.pick.finish() },
    }),
  };
}

type SettledBet = Pick<RecordedBet, 'payout_per_dollar' | 'win_probability'> & {
  readonly won: boolean;
  readonly return_per_dollar: number;
};

/** @param slices see `EventMeanInput` */
function returnsBuilder(slices: number) {
  const returns = votesByEvent(2);
  const claims = claimsBuilder(slices);
  return {
    add: (event: number, bet: SettledBet): void => {
      // A bet pays this much or loses its dollar.
      returns.add(event, [bet.return_per_dollar, bet.payout_per_dollar + 1]);
      claims.add(event, bet);
    },
    finish: (): BetReturns => {
      const { n, columns } = returns.finish();
      const [values, widths] = [at(columns, 0), at(columns, 1)];
      const { mean, ...others } = eventMean({ n, values, widths, unit: 'dollar', slices });
      return { ...others, mean_return_per_dollar: mean, claims: claims.finish() };
    },
  };
}

function claimsBuilder(slices: number) {
  const votes = votesByEvent(5);
  return {
    add: (
      event: number,
      { win_probability, payout_per_dollar, won, return_per_dollar }: SettledBet,
    ): void => {
      const claimed = win_probability / 100;
      const actual = won ? 1 : 0;
      const claimedReturn = claimed * (1 + payout_per_dollar) - 1;
      votes.add(event, [claimed, actual, claimedReturn, return_per_dollar, actual - claimed]);
    },
    finish: (): BetClaims => {
      const { n, columns } = votes.finish();
      const mean = (column: number) => meanOfEvents(at(columns, column));
      const values = at(columns, 4);
      const widths = values.map(() => 1);
      return {
        ...eventMean({ n, values, widths, unit: 'share', slices }),
        claimed_win_rate: mean(0),
        actual_win_rate: mean(1),
        claimed_return_per_dollar: mean(2),
        actual_return_per_dollar: mean(3),
      };
    },
  };
}
