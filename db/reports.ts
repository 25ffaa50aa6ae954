import type { Stage } from '../council/deliberation.js';
import type { Dropout } from '../council/dropout.js';
import type { CouncilModel } from '../council/models.js';
import type { Lane } from '../council/purchase.js';
import type { Conclusion, ReportStatus } from '../council/report.js';
import type { RunFailureCode } from '../council/run-failure.js';
import type { Db } from './database.js';
import { offsetOf, type Page, type Paging } from './paging.js';

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
