import { gradeForecast, graderVersion } from '../../council/track-record/grade.js';
import type { GradingFailureReason } from '../../council/track-record/grading.js';
import { parseRecordedForecast } from '../../council/track-record/parse-recorded-forecast.js';
import { isDatabaseAway } from '../../db/database.js';
import { type GradableReport, keepGrade, readGradable } from '../../db/track-record/grades.js';
import type { GradedPage, GradingDependencies } from './grading-activities.js';

/**
 * Grades each report by its entry in the record, and by nothing else of it. A report that cannot be graded is named,
 * and stops no other; only a database that is away stops the page, which is then tried again and finds what it did.
 */
export async function gradeReports(
  deps: GradingDependencies,
  reportIds: readonly number[],
): Promise<GradedPage> {
  const page = { graded: 0, pending: 0, unchanged: 0 };
  const failures = [];
  for (const report of await readGradable(deps.db, reportIds)) {
    const became = await gradeOne(deps, report);
    if (isDone(became)) page[became]++;
    else failures.push({ subject: 'report' as const, id: String(report.reportId), reason: became });
  }
  return { ...page, failures };
}

type Done = 'graded' | 'pending' | 'unchanged';

function isDone(became: Done | GradingFailureReason): became is Done {
  return became === 'graded' || became === 'pending' || became === 'unchanged';
}

async function gradeOne(
  { db, now, log }: GradingDependencies,
  { reportId, payload, resolutionId, outcomes }: GradableReport,
): Promise<Done | GradingFailureReason> {
  try {
    const forecast = parseRecordedForecast(payload);
    if (forecast === null) return 'record_unreadable';
    if (resolutionId === null || outcomes === null) return 'pending';
    const grade = gradeForecast(forecast, outcomes);
    if (grade === 'pending') return 'pending';
    const isNew = await keepGrade(db, {
      reportId,
      resolutionId,
      grader: graderVersion,
      ...grade,
      now: now(),
    });
    return isNew ? 'graded' : 'unchanged';
  } catch (err) {
    if (isDatabaseAway(err)) throw err;
    log.error({ err, reportId }, 'a report could not be graded');
    return 'not_kept';
  }
}
