import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Venue } from '../../council/event.js';
import type { GradingSelection } from '../../record/grades/grading.js';
import type { Db } from '../database.js';
import { isNotGradedAs } from './confirmed-grades.js';

/**
 * What a grading batch works on, in pages. Invariants:
 * - only reports in the record are graded;
 * - pages are ordered by id, so concurrent grading moves nothing between pages.
 */

/** How long after its grade an event is looked up again, to find corrections. */
const correctionsFollowedDays = 7;

/**
 * Events of the venues whose resolution must be looked up. `due`: events with a report whose grade is
 * missing, disputed, of a part of its markets, made or confirmed within 7 days, or by prices without the venue's word,
 * and those of which the venue took a result back, until it gives the next one.
 */
export async function listEventsToResolve(
  db: Db,
  selection: GradingSelection,
  page: { venues: readonly Venue[]; after: string | null; limit: number; now: Date },
): Promise<string[]> {
  const { venues, after, limit, now } = page;
  const rows = await db
    .selectFrom('events as event')
    .select('event.event_id as id')
    .where('event.source', 'in', venues)
    .$if(after !== null, query => query.where('event.event_id', '>', after))
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('record_entries as entry')
          .innerJoin('reports as report', 'report.id', 'entry.report_id')
          .select('entry.seq')
          .whereRef('report.event_id', '=', 'event.event_id')
          .where('entry.kind', '=', 'completed')
          .where('report.status', '=', 'completed')
          .where(selection.kind === 'due' ? mayStillChange(now) : selected(selection)),
      ),
    )
    .orderBy('event.event_id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Recorded reports to grade. `due`: the event has a resolution, and this grader version has not graded the
 * report under the newest one.
 */
export async function listReportsToGrade(
  db: Db,
  selection: GradingSelection,
  { after, limit, grader }: { after: number; limit: number; grader: string },
): Promise<number[]> {
  const rows = await reportsToGrade(db, selection, grader)
    .select('entry.report_id as id')
    .where('entry.report_id', '>', after)
    .orderBy('entry.report_id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** How many reports {@link listReportsToGrade} returns over all pages. */
export async function countReportsToGrade(
  db: Db,
  selection: GradingSelection,
  grader: string,
): Promise<number> {
  const { total } = await reportsToGrade(db, selection, grader)
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The reports that {@link listReportsToGrade} selects, which a version of the grader has not graded yet. */
export async function listUngradedReports(
  db: Db,
  selection: GradingSelection,
  { after, limit, grader }: { after: number; limit: number; grader: string },
): Promise<number[]> {
  const rows = await selectedReports(db, selection)
    .select('report.id')
    .where(isUngraded(grader))
    .where('report.id', '>', after)
    .orderBy('report.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Recorded reports of the range of a selection, graded or not; `due` has no range. */
export function selectedReports(db: Db, selection: GradingSelection) {
  return db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .where('entry.kind', '=', sql.lit('completed'))
    .where('report.status', '=', sql.lit('completed'))
    .where(selection.kind === 'due' ? sql<boolean>`true` : selected(selection));
}

function reportsToGrade(db: Db, selection: GradingSelection, grader: string) {
  const reports = selectedReports(db, selection);
  return selection.kind === 'due' ? reports.where(isUngraded(grader)) : reports;
}

/** A condition on `report`. */
function selected(selection: Exclude<GradingSelection, { kind: 'due' }>): RawBuilder<SqlBool> {
  switch (selection.kind) {
    case 'event':
      return sql`report.event_id = ${selection.eventId}`;
    case 'since':
      return selection.until === undefined
        ? sql`report.ended_at >= ${midnight(selection.date)}`
        : sql`report.ended_at >= ${midnight(selection.date)} and report.ended_at < ${new Date(midnight(selection.until).getTime() + dayMs)}`;
    case 'all':
      return sql`true`;
  }
}

function midnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

/**
 * A condition on `report`: this grader version has not graded it under the newest resolution of its event, or under an
 * earlier one that the newest confirms.
 */
function isUngraded(grader: string): RawBuilder<SqlBool> {
  return sql`exists (
    select from (
      select id, outcomes from resolutions where event_id = report.event_id order by id desc limit 1
    ) as newest
    where ${isNotGradedAs({ reportId: sql.ref('report.id'), resolution: 'newest', grader })}
  )`;
}

/**
 * A condition on `report`: a new resolution could still change its grade. One that confirmed it is followed as long as a
 * grade.
 */
function mayStillChange(now: Date): RawBuilder<SqlBool> {
  const followedSince = new Date(now.getTime() - correctionsFollowedDays * dayMs);
  return sql`(
    not exists (
      select from (
        select state, open_markets, graded_at from grades where report_id = report.id order by resolution_id desc, id desc limit 1
      ) as newest
      where newest.state <> 'disputed' and newest.open_markets = 0 and newest.graded_at < ${followedSince}
    ) or (
      select said.final_words is null or said.observed_at >= ${followedSince} or ${takesBackAGrade}
      from resolutions as said where said.event_id = report.event_id order by said.id desc limit 1
    )
  )`;
}

/**
 * A condition on `said`, the newest resolution: a market that `report` was graded by has no result in it. Kalshi's amended
 * results, which have no bound in time, are read so.
 */
const takesBackAGrade = sql<SqlBool>`exists (
  select from (
    select outcomes from grades join resolutions on resolutions.id = grades.resolution_id
    where grades.report_id = report.id order by resolution_id desc, grades.id desc limit 1
  ) as graded, jsonb_each_text(graded.outcomes::jsonb) as market
  where market.value <> 'unresolved' and coalesce(said.outcomes ->> market.key, 'unresolved') = 'unresolved'
)`;

const dayMs = 24 * 3_600_000;
