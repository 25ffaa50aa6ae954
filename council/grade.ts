import { type GradedBet, gradedBets } from './grade-bets.js';
import { settle } from './grade-outcomes.js';
import { type ForecastScores, forecastScores } from './grade-scores.js';
import type { GradeState } from './grade-state.js';
import type { MarketOutcomes, RecordedForecast } from './record.js';

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
