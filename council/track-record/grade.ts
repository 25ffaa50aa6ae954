import type { Resolution } from '../event.js';
import { type GradedBet, gradedBets } from './bet-figures.js';
import { type ForecastScores, forecastScores } from './grade-scores.js';
import type { MarketOutcomes, RecordedForecast, RecordedOutcome } from './recorded-forecast.js';

/** Changes with any rule of grading: a grade says which rules made it, and old grades are kept. */
export const graderVersion = 'grader/1';

export interface Grade {
  readonly state: GradeState;
  /** Null unless the state is `graded`. */
  readonly scores: ReportScores | null;
}

/** What became of a report, and how good everybody's numbers were on the very same outcomes. Stored and exported. */
export interface ReportScores extends ForecastScores {
  readonly outcomes: readonly GradedOutcome[];
  readonly bets: readonly GradedBet[];
}

export interface GradedOutcome {
  readonly name: string;
  /** Null for an independent market that was void or paid half: nobody is scored on it. */
  readonly happened: 0 | 1 | null;
}

/**
 * Grades a frozen forecast by what its markets resolved to; pure, so that anybody can grade it again. See
 * `grade-outcomes.ts` for when a report counts as resolved, `grade-score.ts` for the formulas.
 *
 * @returns `pending` while the markets have not said enough: nothing is to be stored then
 */
export function gradeForecast(forecast: RecordedForecast, outcomes: MarketOutcomes): Grade | 'pending' {
  const settlement = settle(forecast, outcomes);
  if (settlement === 'pending') return 'pending';
  if (settlement.state !== 'graded') return { state: settlement.state, scores: null };
  const { happened } = settlement;
  return {
    state: 'graded',
    scores: {
      outcomes: forecast.outcomes.map(({ name }, index) => ({ name, happened: happened[index] ?? null })),
      ...forecastScores(forecast, happened),
      bets: gradedBets(forecast.bets, outcomes),
    },
  };
}

/** How a report stands once its event is over. Only `graded` has scores; `disputed` may still become one of the others. */
export const gradeStates = ['graded', 'void', 'fifty_fifty', 'disputed'] as const;

export type GradeState = (typeof gradeStates)[number];

/** Aligned with the outcomes of the forecast; null where a market of an independent set cannot be graded. */
export type Happened = readonly (0 | 1 | null)[];

export type Settlement =
  | 'pending'
  | { readonly state: 'graded'; readonly happened: Happened }
  | { readonly state: Exclude<GradeState, 'graded'> };

/**
 * What became of the outcomes that the council was asked about. Markets that it was not asked about, and that are
 * no part of `Any other` either, say nothing. A market that the source does not name is not resolved.
 *
 * Exclusive: graded as soon as one outcome has happened, whatever the other markets say by then, for it excludes
 * them. Two winners contradict each other, so they are `disputed`, like a contested market while nobody has won.
 * All closed and nobody won: `fifty_fifty` where a market was paid half, else `void`.
 *
 * Independent: waits for every market. Those void or paid half drop out; with none left, that is the state.
 */
function settle(forecast: RecordedForecast, outcomes: MarketOutcomes): Settlement {
  return forecast.exclusive ? settledTogether(forecast, outcomes) : settledEach(forecast, outcomes);
}

function settledTogether(forecast: RecordedForecast, outcomes: MarketOutcomes): Settlement {
  const wins = forecast.outcomes.map(outcome => winsOf(outcome, forecast.left_out, outcomes));
  const winners = wins.reduce((sum, count) => sum + count, 0);
  if (winners === 1) return { state: 'graded', happened: wins.map(count => (count === 1 ? 1 : 0)) };
  if (winners > 1) return { state: 'disputed' };

  const resolutions = marketsOf(forecast).map(market => resolutionOf(market, outcomes));
  if (resolutions.includes('disputed')) return { state: 'disputed' };
  if (resolutions.includes('unresolved')) return 'pending';
  return { state: ungradable(resolutions) };
}

/** `Any other` happens when one of the markets left out does; when two do, they contradict each other. */
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

function settledEach(forecast: RecordedForecast, outcomes: MarketOutcomes): Settlement {
  const resolutions = marketsOf({ ...forecast, left_out: [] }).map(market => resolutionOf(market, outcomes));
  if (resolutions.includes('unresolved')) return 'pending';
  if (resolutions.includes('disputed')) return { state: 'disputed' };
  if (!resolutions.some(isAnswer)) return { state: ungradable(resolutions) };
  const happened = forecast.outcomes.map(({ side }, index) => {
    const resolution = resolutions[index];
    if (resolution === undefined || !isAnswer(resolution)) return null;
    return resolution === side ? 1 : 0;
  });
  return { state: 'graded', happened };
}

function resolutionOf(market: string, outcomes: MarketOutcomes): Resolution {
  return outcomes[market] ?? 'unresolved';
}

function isAnswer(resolution: Resolution): boolean {
  return resolution === 'yes' || resolution === 'no';
}

function ungradable(resolutions: readonly Resolution[]): 'void' | 'fifty_fifty' {
  return resolutions.includes('fifty_fifty') ? 'fifty_fifty' : 'void';
}
