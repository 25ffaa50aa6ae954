import { graderVersion } from '../../council/track-record/grade.js';
import {
  countReportsToGrade,
  listEventsToResolve,
  listReportsToGrade,
} from '../../db/track-record/grading-selections.js';
import { refreshTrackRecord } from '../../db/track-record/track-record.js';
import { withHeartbeat } from '../with-heartbeat.js';
import { gradeReports } from './grade-reports.js';
import type { GradingActivities, GradingDependencies } from './grading-activities.js';
import { resolveEvents } from './resolve-events.js';

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
