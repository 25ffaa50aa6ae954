import type { Logger } from 'pino';
import { type Db, isDatabaseUnavailable } from '../../db/database.js';
import { type GradableReport, readGradableReports, saveGrade } from '../../db/track-record/grades.js';
import { gradeForecast, graderVersion } from '../../record/grades/grade.js';
import type { GradingFailure, GradingFailureReason } from '../../record/grades/grading.js';
import { parseRecordedForecast } from '../../record/parse-recorded-forecast.js';

export interface GradeDependencies {
  readonly db: Db;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

export interface GradedPage {
  readonly graded: number;
  readonly pending: number;
  readonly unchanged: number;
  readonly failures: readonly GradingFailure[];
}

/**
 * Grades each report by its entry in the record only. A report that cannot be graded is named in the result and does
 * not stop the others. If the database is unavailable, the whole page fails and is retried.
 */
export async function gradeReports(
  deps: GradeDependencies,
  reportIds: readonly number[],
): Promise<GradedPage> {
  const page = { graded: 0, pending: 0, unchanged: 0 };
  const failures = [];
  for (const report of await readGradableReports(deps.db, reportIds)) {
    const outcome = await gradeOne(deps, report);
    if (isDone(outcome)) page[outcome]++;
    else failures.push({ subject: 'report' as const, id: String(report.reportId), reason: outcome });
  }
  return { ...page, failures };
}

type Done = 'graded' | 'pending' | 'unchanged';

function isDone(outcome: Done | GradingFailureReason): outcome is Done {
  return outcome === 'graded' || outcome === 'pending' || outcome === 'unchanged';
}

async function gradeOne(
  { db, now, log }: GradeDependencies,
  { reportId, payload, resolutionId, outcomes }: GradableReport,
): Promise<Done | GradingFailureReason> {
  try {
    const forecast = parseRecordedForecast(payload);
    if (forecast === null) return 'record_unreadable';
    if (resolutionId === null || outcomes === null) return 'pending';
    const grade = gradeForecast(forecast, outcomes);
    if (grade === 'pending') return 'pending';
    const isNew = await saveGrade(db, {
      reportId,
      resolutionId,
      grader: graderVersion,
      ...grade,
      now: now(),
    });
    return isNew ? 'graded' : 'unchanged';
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    log.error({ err, reportId }, 'a report could not be graded');
    return 'not_kept';
  }
}
