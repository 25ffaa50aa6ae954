import { sql } from 'kysely';
import type { Dropout } from '../../council/deliberation/members.js';
import type { ProgressStage } from '../../council/deliberation/stages.js';
import type { OtherVenuePrice } from '../../council/market/other-venue.js';
import type { CouncilModel } from '../../council/models.js';
import type { Conclusion, ReportStatus, RunFailureCode } from '../../council/report.js';
import type { Lane } from '../../purchase/purchase.js';
import type { Db } from '../database.js';
import { offsetOf, type Page, type Paging } from '../paging.js';
import { confirmedBy } from '../track-record/confirmed-grades.js';

/**
 * Reports as customers read them. Invariants:
 * - every query is limited to the account through its purchase, so another account's report is not found,
 *   exactly like one that does not exist;
 * - only simulated reports can be samples, which everybody may read.
 */
export interface OwnedReportRow {
  readonly id: number;
  readonly eventId: string;
  readonly eventTitle: string;
  readonly status: ReportStatus;
  readonly simulated: boolean;
  readonly stage: ProgressStage | null;
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

export interface ReadReport extends OwnedReportRow {
  /** The models that have answered in its present stage, in the order of their answers. */
  readonly answered: readonly CouncilModel[];
  /** Null if no pair is known, or the other venue did not answer. */
  readonly otherVenue: readonly OtherVenuePrice[] | null;
}

export async function readReport(db: Db, accountId: string, id: number): Promise<ReadReport | null> {
  const row = await ownedReports(db, accountId)
    .select('report.other_venue as otherVenue')
    .select(
      sql<CouncilModel[]>`array(
        select model from stage_results as answer
        where answer.report_id = report.id and answer.stage = report.stage
        order by answer.created_at)`.as('answered'),
    )
    .where('report.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The account's reports, the latest purchase first. */
export async function listReports(
  db: Db,
  accountId: string,
  { status, ...paging }: Paging & { readonly status: ReportStatus | null },
): Promise<Page<OwnedReportRow>> {
  const { total } = await countReportsQuery(db, accountId, status).executeTakeFirstOrThrow();
  const rows = await reportsPageQuery(db, accountId, { status, ...paging }).execute();
  return { rows, total };
}

function reportsPageQuery(
  db: Db,
  accountId: string,
  { status, ...paging }: Paging & { readonly status: ReportStatus | null },
) {
  return (
    ownedReports(db, accountId)
      .$if(status !== null, query => query.where('report.status', '=', status))
      // In the order of the index `report_purchases_account`, so that a page reads its rows only.
      .orderBy('purchase.created_at', 'desc')
      .orderBy('purchase.report_id', 'desc')
      .limit(paging.perPage)
      .offset(offsetOf(paging))
  );
}

/** Reads the reports only if their status matters. */
function countReportsQuery(db: Db, accountId: string, status: ReportStatus | null) {
  return db
    .selectFrom('report_purchases as purchase')
    .$if(status !== null, query =>
      query
        .innerJoin('reports as report', 'report.id', 'purchase.report_id')
        .where('report.status', '=', status),
    )
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('purchase.account_id', '=', accountId)
    .where('purchase.report_id', 'is not', null);
}

function ownedReports(db: Db, accountId: string) {
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
      .where('purchase.report_id', 'is not', null)
      // Only a void purchase has no lane, and it has no report either.
      .$narrowType<{ lane: Lane }>()
  );
}

/** Everything that can change in the response about an ended report, for its ETag. */
export interface ReportVersion {
  readonly id: number;
  readonly status: ReportStatus;
  readonly endedAt: Date | null;
  readonly lane: Lane;
  readonly bought: 'fresh' | 'cached' | null;
  readonly apiKeyId: string | null;
  /** The resolution of the current grade; null without a grade. */
  readonly resolutionId: number | null;
  readonly gradedAt: Date | null;
  /** When rules were last read that differ from those before, after the sale; null if none were. */
  readonly rulesSeenAt: Date | null;
}

/**
 * One query, without the report's documents. Null if the account does not own the report. Most requests are reads of an
 * ended report: written out, this and the look-up of the key take a fifth less CPU time of them than built queries.
 */
export async function readReportVersion(
  db: Db,
  accountId: string,
  reportId: number,
): Promise<ReportVersion | null> {
  const { rows } = await sql<ReportVersion>`
    select ${versionColumns} ${versionOfReport(accountId, reportId)}`.execute(db);
  return rows[0] ?? null;
}

/** The version, and everything that can change in the response about a run. */
export interface ReportState extends ReportVersion {
  readonly stage: ProgressStage | null;
  /** How many models have answered in the stage. */
  readonly answered: number;
}

/** For callers who wait. PostgreSQL needs half as much time again for it as for the version alone. */
export async function readReportState(
  db: Db,
  accountId: string,
  reportId: number,
): Promise<ReportState | null> {
  const { rows } = await sql<ReportState>`
    select ${versionColumns}, report.stage, (
      select count(*)::int from stage_results as answer
      where answer.report_id = report.id and answer.stage = report.stage
    ) as answered ${versionOfReport(accountId, reportId)}`.execute(db);
  return rows[0] ?? null;
}

const versionColumns = sql`
  report.id, report.status, report.ended_at as "endedAt", purchase.lane, purchase.kind as bought,
  purchase.api_key_id as "apiKeyId", grade.resolution_id as "resolutionId", grade.graded_at as "gradedAt",
  (select max(first_seen_at) from event_rules
   where event_rules.event_id = report.event_id and first_seen_at > report.prices_at) as "rulesSeenAt"`;

function versionOfReport(accountId: string, reportId: number) {
  return sql`
    from report_purchases as purchase
    inner join reports as report on report.id = purchase.report_id
    left join lateral (
      select ${confirmedBy(sql.ref('grades.resolution_id'))} as resolution_id, graded_at
      from grades where grades.report_id = report.id
      order by grades.resolution_id desc, id desc limit 1
    ) as grade on true
    where purchase.account_id = ${accountId} and report.id = ${reportId}`;
}

/** Publishes a simulated report of the account as a sample. Does nothing if it has no such report. */
export async function publishSample(
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

/** The newest sample; null if there is none. */
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
