import { graderVersion } from '../council/grade.js';
import { countReportsToGrade, listEventsToResolve, listReportsToGrade } from '../db/grading-selections.js';
import { refreshTrackRecord } from '../db/track-record.js';
import { gradeReports } from './grade-reports.js';
import type { GradingActivities } from './grading-activities.js';
import type { GradingDependencies } from './grading-dependencies.js';
import { resolveEvents } from './resolve-events.js';
import { withHeartbeat } from './with-heartbeat.js';

/** The activities of a batch that grades, standing on real or test dependencies. */
export function createGradingActivities(deps: GradingDependencies): GradingActivities {
  const { db, source, now } = deps;
  return {
    listEventsToResolve: ({ selection, after, limit }) =>
      listEventsToResolve(db, selection, { source, after, limit, now: now() }),
    resolveEvents: ({ eventIds }) => withHeartbeat(() => resolveEvents(deps, eventIds)),
    countReportsToGrade: selection => countReportsToGrade(db, selection, graderVersion),
    listReportsToGrade: ({ selection, after, limit }) =>
      listReportsToGrade(db, selection, { after, limit, grader: graderVersion }),
    gradeReports: ({ reportIds }) => withHeartbeat(() => gradeReports(deps, reportIds)),
    refreshRecord: async () => {
      // What is simulated is shown by itself, and never mixed with what is not.
      for (const simulated of [true, false]) await refreshTrackRecord(db, simulated, now());
    },
  };
}
