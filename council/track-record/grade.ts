import type { Resolution } from '../event.js';
import { sum } from '../numbers.js';
import { type ForecastScores, forecastScores, type GraderVersion, type Happened } from './grade-scores.js';
import type { MarketOutcomes, RecordedBet, RecordedForecast, RecordedOutcome } from './recorded-forecast.js';

/** The version of new grades. It changes with every grading rule. */
export const graderVersion: GraderVersion = 'grader/2';

/** State of a report after its event. Only `graded` has scores; `disputed` may still change. */
export const gradeStates = ['graded', 'void', 'fifty_fifty', 'disputed'] as const;

export type GradeState = (typeof gradeStates)[number];

export interface Grade {
  readonly state: GradeState;
  /** Null unless the state is `graded`. */
  readonly scores: ReportScores | null;
}

/** The outcomes of a report and the scores of every forecaster on them. Stored and exported. */
export interface ReportScores extends ForecastScores {
  readonly outcomes: readonly GradedOutcome[];
  readonly bets: readonly GradedBet[];
}

export interface GradedOutcome {
  readonly name: string;
  /** Null for an independent market that was void or paid half, which scores no forecaster. */
  readonly happened: 0 | 1 | null;
}

/** The result of one dollar on one of the report's bets, at the cost that the report named. */
export interface GradedBet extends Pick<RecordedBet, 'market' | 'side' | 'kind'> {
  /** Null if the market was void or paid half: the stake is returned, and no figure includes the bet. */
  readonly won: boolean | null;
  /** Net dollars: the recorded payout, −1 if lost, 0 if returned. */
  readonly return_per_dollar: number;
}

/**
 * Grades a frozen forecast by the resolutions of its markets. The formulas of the scores are in
 * `grade-scores.ts`.
 *
 * @param grader an old version computes an old grade again
 * @returns `pending` while too few markets are resolved: nothing is stored then
 */
export function gradeForecast(
  forecast: RecordedForecast,
  outcomes: MarketOutcomes,
  grader: GraderVersion = graderVersion,
): Grade | 'pending' {
  const settlement = settle(forecast, outcomes);
  if (settlement === 'pending') return 'pending';
  if (settlement.state !== 'graded') return { state: settlement.state, scores: null };
  const { happened } = settlement;
  return {
    state: 'graded',
    scores: {
      outcomes: forecast.outcomes.map(({ name }, index) => ({ name, happened: happened[index] ?? null })),
      ...forecastScores(forecast, happened, grader),
      bets: gradedBets(forecast.bets, outcomes),
    },
  };
}

type Settlement =
  | 'pending'
  | { readonly state: 'graded'; readonly happened: Happened }
  | { readonly state: Exclude<GradeState, 'graded'> };

/**
 * Which of the forecast outcomes happened. Markets that are neither in the forecast nor part of `Any other`
 * do not count. A market that the source does not list is unresolved.
 *
 * Exclusive: graded as soon as one outcome has happened, whatever the state of the other markets, because it
 * excludes them. Two winners contradict each other and are `disputed`, as is a disputed market without any
 * winner. If all markets are closed without a winner: `fifty_fifty` if a market was paid half, otherwise
 * `void`.
 *
 * Independent: waits for every market. Markets that are void or paid half drop out; if none is left, that is
 * the state.
 */
function settle(forecast: RecordedForecast, outcomes: MarketOutcomes): Settlement {
  return forecast.exclusive ? settleExclusive(forecast, outcomes) : settleIndependent(forecast, outcomes);
}

function settleExclusive(forecast: RecordedForecast, outcomes: MarketOutcomes): Settlement {
  const wins = forecast.outcomes.map(outcome => winsOf(outcome, forecast.left_out, outcomes));
  const winners = sum(wins);
  if (winners === 1) return { state: 'graded', happened: wins.map(count => (count === 1 ? 1 : 0)) };
  if (winners > 1) return { state: 'disputed' };

  const resolutions = marketsOf(forecast).map(market => resolutionOf(market, outcomes));
  if (resolutions.includes('disputed')) return { state: 'disputed' };
  if (resolutions.includes('unresolved')) return 'pending';
  return { state: ungradable(resolutions) };
}

/** `Any other` happens if one of the markets left out does; two winners contradict each other. */
function winsOf(
  { market_id: market, side }: RecordedOutcome,
  leftOut: readonly string[],
  outcomes: MarketOutcomes,
) {
  if (market === null) return leftOut.filter(each => resolutionOf(each, outcomes) === 'yes').length;
  return resolutionOf(market, outcomes) === side ? 1 : 0;
}

function marketsOf({ outcomes, left_out: leftOut }: RecordedForecast): string[] {
  return [...outcomes.flatMap(({ market_id: market }) => (market === null ? [] : [market])), ...leftOut];
}

function settleIndependent(forecast: RecordedForecast, outcomes: MarketOutcomes): Settlement {
  const resolutions = marketsOf({ ...forecast, left_out: [] }).map(market => resolutionOf(market, outcomes));
  if (resolutions.includes('unresolved')) return 'pending';
  if (resolutions.includes('disputed')) return { state: 'disputed' };
  if (!resolutions.some(isYesOrNo)) return { state: ungradable(resolutions) };
  const happened = forecast.outcomes.map(({ side }, index) => {
    const resolution = resolutions[index];
    if (resolution === undefined || !isYesOrNo(resolution)) return null;
    return resolution === side ? 1 : 0;
  });
  return { state: 'graded', happened };
}

function resolutionOf(market: string, outcomes: MarketOutcomes): Resolution {
  return outcomes[market] ?? 'unresolved';
}

function isYesOrNo(resolution: Resolution): boolean {
  return resolution === 'yes' || resolution === 'no';
}

function ungradable(resolutions: readonly Resolution[]): 'void' | 'fifty_fifty' {
  return resolutions.includes('fifty_fifty') ? 'fifty_fifty' : 'void';
}

function gradedBets(bets: readonly RecordedBet[], outcomes: MarketOutcomes): GradedBet[] {
  return bets.map(bet => {
    const won = isWon(bet, outcomes);
    const { market, side, kind, payout_per_dollar: payout } = bet;
    return { market, side, kind, won, return_per_dollar: won === null ? 0 : won ? payout : -1 };
  });
}

function isWon({ market_id: market, side }: RecordedBet, outcomes: MarketOutcomes): boolean | null {
  const resolution = outcomes[market];
  if (resolution === 'void' || resolution === 'fifty_fifty') return null;
  // An unresolved market of a graded report is a NO: another outcome of its exclusive event happened.
  return side === (resolution === 'yes' ? 'BUY_YES' : 'BUY_NO');
}
