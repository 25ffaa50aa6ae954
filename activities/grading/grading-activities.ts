import type { Logger } from 'pino';
import type { EventSourceName } from '../../council/event.js';
import type { GradingFailure, GradingSelection } from '../../council/track-record/grading.js';
import type { Db } from '../../db/database.js';
import type { EventSource } from '../../markets/event-source.js';

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

/** The world of grading. */
export interface GradingDependencies {
  readonly db: Db;
  readonly markets: Pick<EventSource, 'get'>;
  /** Whose events `markets` knows. */
  readonly source: EventSourceName;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}
