import type { ReportStatus } from '../council/report.js';
import type { Db } from './database.js';

/** All by which an answer about a report can differ from an earlier one to the same caller, once the report has ended. */
export interface ReportVersion {
  readonly id: number;
  readonly status: ReportStatus;
  readonly endedAt: Date | null;
  readonly bought: 'fresh' | 'cached' | null;
  readonly apiKeyId: string | null;
  /** The resolution that the grade that counts stands on; null while there is no grade. */
  readonly resolutionId: number | null;
  readonly gradedAt: Date | null;
}

/** In one question, without the report itself; null for a report of another account, as for one that does not exist. */
export async function readReportVersion(
  db: Db,
  accountId: string,
  reportId: number,
): Promise<ReportVersion | null> {
  const row = await db
    .selectFrom('report_purchases as purchase')
    .innerJoin('reports as report', 'report.id', 'purchase.report_id')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('grades')
          .select(['resolution_id', 'graded_at'])
          .whereRef('grades.report_id', '=', 'report.id')
          .orderBy('resolution_id', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .as('grade'),
      join => join.onTrue(),
    )
    .select([
      'report.id',
      'report.status',
      'report.ended_at as endedAt',
      'purchase.kind as bought',
      'purchase.api_key_id as apiKeyId',
      'grade.resolution_id as resolutionId',
      'grade.graded_at as gradedAt',
    ])
    .where('purchase.account_id', '=', accountId)
    .where('report.id', '=', reportId)
    .executeTakeFirst();
  return row ?? null;
}
