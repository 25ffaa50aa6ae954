import type { ReportScores } from '../../record/grades/grade.js';
import type { RecordedForecast } from '../../record/recorded-forecast.js';
import type { Db } from '../database.js';
import { completedEntries, forecastOf, type GradePage } from '../track-record/track-record.js';

/** A report of the record with the grade that was known at a time. */
export interface GradedReport {
  readonly reportId: number;
  readonly forecast: RecordedForecast;
  /** Null if it was graded without scores, for example as void. */
  readonly scores: ReportScores | null;
  /** When the resolution was read from the market. */
  readonly resolvedAt: Date;
}

export interface GradedReports extends GradePage {
  readonly simulated: boolean;
  /** Only reports that were completed, and resolutions that were read, before this time. */
  readonly before: Date;
}

/** Reports that had a grade at that time, with the newest resolution then, ordered by report id. */
export async function readGradedReports(
  db: Db,
  { simulated, before, ...page }: GradedReports,
): Promise<GradedReport[]> {
  const rows = await completedEntries(db, simulated, page)
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('grades')
          .innerJoin('resolutions', 'resolutions.id', 'grades.resolution_id')
          .select(['grades.scores', 'resolutions.observed_at'])
          .whereRef('grades.report_id', '=', 'entry.report_id')
          .where('resolutions.observed_at', '<', before)
          .orderBy('grades.resolution_id', 'desc')
          .orderBy('grades.id', 'desc')
          .limit(1)
          .as('grade'),
      join => join.onTrue(),
    )
    .select([
      'entry.report_id as reportId',
      'entry.payload',
      'grade.scores',
      'grade.observed_at as resolvedAt',
    ])
    .where('report.ended_at', '<', before)
    .execute();
  return rows.map(({ payload, ...report }) => ({ ...report, forecast: forecastOf(payload) }));
}
