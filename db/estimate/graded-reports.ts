import type { ReportScores } from '../../council/track-record/grade.js';
import type { RecordedForecast } from '../../council/track-record/recorded-forecast.js';
import type { Db } from '../database.js';

/** A report of the record whose outcome is known. */
export interface GradedReport {
  readonly reportId: number;
  readonly forecast: RecordedForecast;
  readonly scores: ReportScores;
  /** When the resolution was read from the market. */
  readonly resolvedAt: Date;
}

export interface GradedPage {
  /** Only reports that were completed and resolved before this time. */
  readonly before: Date;
  /** Only reports with a higher id than this. */
  readonly after: number;
  readonly limit: number;
}

/** Live reports with their current grade if that has scores, ordered by report id. */
export async function readGradedReports(
  db: Db,
  { before, after, limit }: GradedPage,
): Promise<GradedReport[]> {
  const rows = await db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('grades')
          .innerJoin('resolutions', 'resolutions.id', 'grades.resolution_id')
          .select(['grades.scores', 'resolutions.observed_at'])
          .whereRef('grades.report_id', '=', 'entry.report_id')
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
    .where('report.simulated', '=', false)
    .where('report.status', '=', 'completed')
    .where('report.ended_at', '<', before)
    .where('grade.observed_at', '<', before)
    .where('grade.scores', 'is not', null)
    .where('entry.report_id', '>', after)
    .orderBy('entry.report_id')
    .limit(limit)
    .execute();
  return rows.flatMap(({ reportId, payload, scores, resolvedAt }) =>
    scores === null ? [] : [{ reportId, forecast: forecastOf(payload), scores, resolvedAt }],
  );
}

/** The service wrote the payload itself, and the hash chain protects it, so it needs no validation. */
function forecastOf(payload: string): RecordedForecast {
  return JSON.parse(payload);
}
