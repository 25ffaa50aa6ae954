import type { GradeState } from '../grades/grade.js';
import type { Score } from '../grades/grade-scores.js';
import type { MarketOutcomes, RecordedOutcome } from '../recorded-forecast.js';

/** One set of forecasts and what became of it, from whichever file it was read. */
export interface GradableRow {
  /** Names the row in its event, for example a report, a question, or a date. */
  readonly id: string;
  /** Intervals draw the rows of one event together. */
  readonly event: string;
  /** True: exactly one outcome happens. False: each is a yes/no question of its own. */
  readonly exclusive: boolean;
  readonly outcomes: readonly GradableOutcome[];
  /** By the ids of the markets. One that is not listed is unresolved. */
  readonly resolutions: MarketOutcomes;
  /** What a share of YES paid, 0 to 1, of the markets of which that is known and which are neither YES nor NO. */
  readonly paid: Readonly<Record<string, number>>;
  readonly council: Numbers | null;
  /** The market's prices when the forecasts were made. */
  readonly market: Numbers | null;
  /** The market's prices a day before the event closed. */
  readonly market_at_close_1d: Numbers | null;
  readonly estimate: Numbers | null;
  /** Each member alone, by name. */
  readonly members: Readonly<Record<string, Numbers>>;
  /** Whether an answer was contested. Null if the file does not say. */
  readonly disputed: boolean | null;
  /** Whether the rules changed between forecast and grade. Null if the file does not say. */
  readonly rules_changed: boolean | null;
  readonly credits: number | null;
  /** Null if nobody has graded it. */
  readonly old: OldGrade | null;
}

/** Probabilities (0..1) aligned with the outcomes; null where one is missing. */
export type Numbers = readonly (number | null)[];

export interface GradableOutcome extends Pick<RecordedOutcome, 'market_id' | 'side'> {
  /** Unique in its row. */
  readonly name: string;
}

/** The grade that a row came with. */
export interface OldGrade {
  readonly grader: string;
  readonly state: GradeState;
  /** Of the council; null unless the state is `graded`. */
  readonly score: Score | null;
  /** What it is based on. */
  readonly resolutions: MarketOutcomes;
}

export const baselines = ['at-forecast', 'at-close-1d'] as const;

/** A rule that counts rows of one kind, or leaves them out. */
export const choices = ['in', 'out'] as const;

type Choice = (typeof choices)[number];

export interface GradeRules {
  /** The prices that every comparison with the market takes. */
  readonly baseline: (typeof baselines)[number];
  /** `in`: what was paid half, or another share, is graded by that share. `out`: it has no grade, as in the service. */
  readonly scalar: Choice;
  /** Rows of which an answer was contested. What is still contested has no grade in either case. */
  readonly disputed: Choice;
  /** Rows whose rules changed after the forecast. */
  readonly rules_changed: Choice;
}

/** As the service grades. */
export const serviceRules: GradeRules = {
  baseline: 'at-forecast',
  scalar: 'out',
  disputed: 'in',
  rules_changed: 'in',
};

/** The kinds of rows that a rule can leave out. */
export type RowRule = Exclude<keyof GradeRules, 'baseline'>;

/** `no_forecast`: there are no outcomes to grade, for example because the report failed. */
export type RowState = GradeState | 'pending' | 'left_out' | 'no_forecast';
