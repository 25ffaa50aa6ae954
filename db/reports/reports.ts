import type { Dropout } from '../../council/deliberation/members.js';
import type { Stage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Lane } from '../../council/purchase/purchase.js';
import type { Conclusion, ReportStatus, RunFailureCode } from '../../council/report.js';
import type { Db } from '../database.js';
import { offsetOf, type Page, type Paging } from '../paging.js';

/**
 * Reports, as their owners read them. Invariant: every query names the account, through its purchase; a report
 * of another account is not found, exactly like one that does not exist.
 */
export interface OwnedReportRow {
  readonly id: number;
  readonly eventId: string;
  readonly eventTitle: string;
  readonly status: ReportStatus;
  readonly simulated: boolean;
  readonly stage: Stage | null;
  readonly stageOf: number | null;
  readonly queriedMarket: string | null;
  readonly conclusion: Conclusion | null;
  readonly dropouts: readonly Dropout[] | null;
  readonly failure: RunFailureCode | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly lane: Lane;
  readonly bought: 'fresh' | 'cached' | null;
  readonly apiKeyId: string | null;
}

export async function readReport(db: Db, accountId: string, id: number): Promise<OwnedReportRow | null> {
  const row = await owned(db, accountId).where('report.id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The account's reports, newest first; by when it bought them. */
export async function listReports(
  db: Db,
  accountId: string,
  { status, ...paging }: Paging & { readonly status: ReportStatus | null },
): Promise<Page<OwnedReportRow>> {
  const matching = owned(db, accountId).$if(status !== null, query =>
    query.where('report.status', '=', status),
  );
  const { total } = await db
    .selectFrom(matching.as('matching'))
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .orderBy('purchase.created_at', 'desc')
    .orderBy('report.id', 'desc')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute();
  return { rows, total };
}

/** Who has answered at a stage so far. */
export async function listAnswered(db: Db, reportId: number, stage: Stage): Promise<CouncilModel[]> {
  const rows = await db
    .selectFrom('stage_results')
    .select('model')
    .where('report_id', '=', reportId)
    .where('stage', '=', stage)
    .orderBy('created_at')
    .execute();
  return rows.map(({ model }) => model);
}

function owned(db: Db, accountId: string) {
  return (
    db
      .selectFrom('report_purchases as purchase')
      .innerJoin('reports as report', 'report.id', 'purchase.report_id')
      .select([
        'report.id',
        'report.event_id as eventId',
        'report.event_title as eventTitle',
        'report.status',
        'report.simulated',
        'report.stage',
        'report.stage_of as stageOf',
        'report.queried_market as queriedMarket',
        'report.conclusion',
        'report.dropouts',
        'report.failure_code as failure',
        'report.created_at as createdAt',
        'report.ended_at as endedAt',
        'purchase.lane',
        'purchase.kind as bought',
        'purchase.api_key_id as apiKeyId',
      ])
      .where('purchase.account_id', '=', accountId)
      // Only a void purchase, which has no report, names no lane.
      .$narrowType<{ lane: Lane }>()
  );
}

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

/**
 * Reports that everybody may read. Invariant: only simulated ones, shown by whoever runs the service; what a customer has
 * bought is nobody else's to see.
 */

/** Shows a report of an account to everybody. @throws when the account has no such simulated report */
export async function showAsSample(
  db: Db,
  { accountId, reportId, now }: { accountId: string; reportId: number; now: Date },
): Promise<void> {
  await db
    .insertInto('sample_reports')
    .columns(['report_id', 'account_id', 'shown_at'])
    .expression(eb =>
      eb
        .selectFrom('report_purchases as purchase')
        .innerJoin('reports as report', 'report.id', 'purchase.report_id')
        .where('report.id', '=', reportId)
        .where('report.simulated', '=', true)
        .where('purchase.account_id', '=', accountId)
        .select(['report.id', 'purchase.account_id', eb.val(now).as('shown_at')]),
    )
    .onConflict(conflict => conflict.column('report_id').doNothing())
    .execute();
}

/** The newest one; null where none is shown. */
export async function findSampleReport(
  db: Db,
): Promise<{ readonly id: number; readonly accountId: string } | null> {
  const row = await db
    .selectFrom('sample_reports')
    .select(['report_id as id', 'account_id as accountId'])
    .orderBy('shown_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
