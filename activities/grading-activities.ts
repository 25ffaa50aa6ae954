import type { GradingFailure, GradingSelection } from '../council/grading.js';

/** The steps of a batch that grades, one verb each. Each may be repeated at any time, and answers with little. */
export interface GradingActivities {
  /** The next events, by id, whose end is to be looked up. */
  listEventsToResolve(page: PageOf<string | null>): Promise<string[]>;
  /** Asks the market how each of these events ended, and notes what is new. */
  resolveEvents(page: { eventIds: readonly string[] }): Promise<ResolvedPage>;
  countReportsToGrade(selection: GradingSelection): Promise<number>;
  /** The next reports, by id. */
  listReportsToGrade(page: PageOf<number>): Promise<number[]>;
  /** Grades each of these reports by the record and the newest that is known of its event. */
  gradeReports(page: { reportIds: readonly number[] }): Promise<GradedPage>;
  /** Makes the published figures those of the grades there are now. */
  refreshRecord(): Promise<void>;
}

export interface PageOf<Cursor> {
  readonly selection: GradingSelection;
  readonly after: Cursor;
  readonly limit: number;
}

export interface ResolvedPage {
  readonly events: number;
  readonly resolved: number;
  readonly failures: readonly GradingFailure[];
}

export interface GradedPage {
  readonly graded: number;
  readonly pending: number;
  readonly unchanged: number;
  readonly failures: readonly GradingFailure[];
}
