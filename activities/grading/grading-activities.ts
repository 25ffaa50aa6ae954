import type { Db } from '../../db/database.js';
import {
  countReportsToGrade,
  listEventsToResolve,
  listReportsToGrade,
} from '../../db/track-record/grading-selections.js';
import { refreshTrackRecord } from '../../db/track-record/track-record.js';
import { graderVersion } from '../../record/grades/grade.js';
import type { GradingSelection } from '../../record/grades/grading.js';
import { withHeartbeat } from '../with-heartbeat.js';
import { type GradeDependencies, gradeReports } from './grade-reports.js';
import { type ResolveDependencies, resolveEvents } from './resolve-events.js';

export type GradingActivities = ReturnType<typeof createGradingActivities>;

interface PageOf<Cursor> {
  readonly selection: GradingSelection;
  readonly after: Cursor;
  readonly limit: number;
}

/** The activities of a grading batch. Each may be repeated at any time, and returns little. */
export function createGradingActivities(deps: ResolveDependencies & GradeDependencies & { db: Db }) {
  const { db, venues, now } = deps;
  return {
    /** The next events, by ID, whose resolution is to be looked up. */
    listEventsToResolve: ({ selection, after, limit }: PageOf<string | null>) =>
      listEventsToResolve(db, selection, { venues: [...venues.keys()], after, limit, now: now() }),
    resolveEvents: ({ eventIds }: { eventIds: readonly string[] }) =>
      withHeartbeat(() => resolveEvents(deps, eventIds)),
    countReportsToGrade: (selection: GradingSelection) => countReportsToGrade(db, selection, graderVersion),
    /** The next reports, by ID. */
    listReportsToGrade: ({ selection, after, limit }: PageOf<number>) =>
      listReportsToGrade(db, selection, { after, limit, grader: graderVersion }),
    gradeReports: ({ reportIds }: { reportIds: readonly number[] }) =>
      withHeartbeat(() => gradeReports(deps, reportIds)),
    /** Recomputes the published figures, those of simulated reports apart from the others. */
    refreshRecord: async () => {
      for (const simulated of [true, false]) await refreshTrackRecord(db, simulated, now());
    },
  };
}
