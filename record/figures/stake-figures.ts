import { at } from '../../council/numbers.js';
import type { GradedBet } from '../grades/grade.js';
import type { RecordedBet, RecordedForecast } from '../recorded-forecast.js';
import { type EventMean, eventMean } from './event-mean.js';

/**
 * A bankroll that follows the stakes, event after event. All bets of an event are settled together: a dollar becomes
 * W = 1 + Σ stake · return over them. Each event has one vote, its first report (the lowest `report_id`) with a settled
 * stake. Reports without stakes, as of release 1.0.0, and stakes of 0 do not count.
 */
export interface StakeFigures extends Omit<EventMean, 'mean'> {
  /** Mean over the events of ln W. Above 0 the bankroll grows. */
  readonly mean_log_growth: number | null;
  /** Dollars that one dollar has become: the product of W over the events, in any order. */
  readonly bankroll: number;
}

interface StakeFiguresBuilder {
  /**
   * Reports come in ascending `report_id`.
   *
   * @param graded aligned with the bets of the report
   */
  add(event: number, report: StakedReport, graded: readonly Pick<GradedBet, 'won'>[]): void;
  finish(): StakeFigures;
}

type StakedReport = Pick<RecordedForecast, 'exclusive'> & { readonly bets: readonly StakedBet[] };

type StakedBet = Pick<RecordedBet, 'side' | 'market_id' | 'payout_per_dollar' | 'stake_fraction'>;

export function stakeFiguresBuilder(): StakeFiguresBuilder {
  const events = new Set<number>();
  const [growths, widths]: [number[], number[]] = [[], []];
  let n = 0;
  return {
    add: (event, { exclusive, bets }, graded) => {
      const staked = bets.flatMap((bet, index) => settledStake(bet, at(graded, index)));
      if (staked.length === 0 || events.has(event)) return;
      events.add(event);
      n += staked.length;
      growths.push(growthIf(staked, ({ won }) => won));
      widths.push(growthWidth(staked, exclusive));
    },
    finish: () => {
      const values = Float64Array.from(growths);
      const measured = { n, values, widths: Float64Array.from(widths), unit: 'growth', slices: 1 } as const;
      const { mean, ...others } = eventMean(measured);
      const logWealth = growths.reduce((total, growth) => total + growth, 0);
      return { ...others, mean_log_growth: mean, bankroll: Math.exp(Math.min(logWealth, logDollarsMax)) };
    },
  };
}

/** More dollars than this are infinite in JSON. */
const logDollarsMax = 700;

interface Stake {
  readonly fraction: number;
  readonly bet: StakedBet;
  readonly won: boolean;
}

/** A stake that was returned, or whose market is open, is no part of its event. */
function settledStake(bet: StakedBet, { won }: Pick<GradedBet, 'won'>): Stake[] {
  const fraction = bet.stake_fraction ?? 0;
  return won === null || fraction === 0 ? [] : [{ fraction, bet, won }];
}

function growthIf(staked: readonly Stake[], isWon: (stake: Stake) => boolean): number {
  return Math.log(
    staked.reduce(
      (wealth, stake) => wealth + stake.fraction * (isWon(stake) ? stake.bet.payout_per_dollar : -1),
      1,
    ),
  );
}

/**
 * How far the outcome can move the growth. Of an exclusive set one outcome happens, that of a bet or another; independent
 * markets can all be won or lost.
 */
function growthWidth(staked: readonly Stake[], exclusive: boolean): number {
  const growths = exclusive
    ? [...new Set(staked.map(({ bet }) => bet.market_id)), null].map(happened =>
        growthIf(staked, ({ bet }) => (bet.side === 'BUY_YES') === (bet.market_id === happened)),
      )
    : [true, false].map(isWon => growthIf(staked, () => isWon));
  return Math.max(...growths) - Math.min(...growths);
}
