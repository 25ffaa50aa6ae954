import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { saveGrade } from '../../../db/track-record/grades.js';
import { newestResolution, saveResolution } from '../../../db/track-record/resolutions.js';
import { graderVersion } from '../../../record/grades/grade.js';
import { until } from '../../support/until.js';

const everyMs = 1_500;

/** The accounts that owned a report before it was graded, by its id: each of them wants the news. */
export type GradedReports = ReadonlyMap<number, readonly string[]>;

/**
 * Grades completed reports, oldest first, as if their events had ended without a winner: events of the market end long
 * after the suite. It goes through the service's own functions, which tell the endpoints of all owners.
 * @param end epoch milliseconds
 */
export async function gradeContinually(db: Db, end: number): Promise<GradedReports> {
  const owners = new Map<number, readonly string[]>();
  while (Date.now() < end) {
    // PostgreSQL is killed now and then: the next round finds the report again, unless its grade was stored.
    await gradeNext(db, owners).catch(() => undefined);
    await pause(everyMs);
  }
  return gradedAmong(db, owners);
}

async function gradeNext(db: Db, owners: Map<number, readonly string[]>): Promise<void> {
  const report = await nextUngraded(db);
  if (report === null) return;
  if (!owners.has(report.id)) owners.set(report.id, await ownersOf(db, report.id));
  await gradeAsVoid(db, report);
}

/** The answer to a grade may have been lost. */
async function gradedAmong(db: Db, owners: GradedReports): Promise<GradedReports> {
  const graded = await until('the grades can be read', () =>
    db
      .selectFrom('grades')
      .select('report_id as reportId')
      .execute()
      .catch(() => null),
  );
  return new Map((graded ?? []).flatMap(({ reportId }) => [[reportId, owners.get(reportId) ?? []]]));
}

async function ownersOf(db: Db, reportId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('report_purchases')
    .select('account_id as accountId')
    .where('report_id', '=', reportId)
    .where('state', '=', 'charged')
    .execute();
  return rows.map(({ accountId }) => accountId);
}

async function nextUngraded(db: Db) {
  const { rows } = await sql<{ readonly id: number; readonly eventId: string }>`
    select report.id, report.event_id as "eventId" from reports as report
    where report.status = 'completed'
      and exists (select from record_entries as entry where entry.report_id = report.id and entry.kind = 'completed')
      and not exists (select from grades as grade where grade.report_id = report.id)
    order by report.id limit 1`.execute(db);
  return rows[0] ?? null;
}

async function gradeAsVoid(db: Db, { id, eventId }: { readonly id: number; readonly eventId: string }) {
  const now = new Date();
  await saveResolution(db, {
    eventId,
    outcomes: { chaos: 'void' },
    words: null,
    evidence: { by: 'chaos' },
    now,
  });
  const resolution = await newestResolution(db, eventId);
  if (resolution === null) return;
  await saveGrade(db, {
    reportId: id,
    resolutionId: resolution.id,
    grader: graderVersion,
    state: 'void',
    scores: null,
    openMarkets: 0,
    now,
  });
}
