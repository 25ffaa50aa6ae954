import { type RawBuilder, sql } from 'kysely';
import type { RunEvent } from '../../council/deliberation/run-event.js';
import type { ReportStatus, RunFailureCode } from '../../council/report.js';
import type { Db, Tx } from '../database.js';

/**
 * A report as its stream shows it: what has happened in its run, in order. Invariants:
 * - an event is appended in the statement or transaction that stores what it tells of, and once;
 * - the row lock of the stream orders the events of one report, so the position of an event never changes and no reader
 *   finds a gap;
 * - nothing is appended after the end of the report, which is no event of the log: its row says it;
 * - no event has a number or a text of a member.
 */
export interface StreamRow {
  readonly reportId: number;
  readonly status: ReportStatus;
  readonly failure: RunFailureCode | null;
  readonly events: readonly RunEvent[];
}

/**
 * Appends an event as a part of another statement (`with`), in the parentheses that Kysely leaves out around raw SQL.
 * @param when a query; nothing is appended if it has no row
 */
export function appendingWith(...event: Parameters<typeof appending>) {
  return sql<object>`(${appending(...event)})`;
}

/** Appends nothing, as a part of another statement. */
export const appendingNothing = sql<object>`(select)`;

/** Appends an event to the stream of a report that has not ended. */
export async function appendToStream(db: Db | Tx, reportId: number, event: RunEvent): Promise<void> {
  const running = sql`select from reports where id = ${reportId} and status = 'processing'`;
  await appending(sql`${reportId}::bigint`, event, running).execute(db);
}

/** One statement for any number of reports. */
export async function readStreams(db: Db, reportIds: readonly number[]): Promise<readonly StreamRow[]> {
  const { rows } = await sql<StreamRow>`
    select report.id as "reportId", report.status, report.failure_code as failure,
      coalesce(stream.events, '[]') as events
    from reports as report left join report_streams as stream on stream.report_id = report.id
    where report.id = any(${reportIds}::bigint[])`.execute(db);
  return rows;
}

/** The same member is not lost twice at a stage, whatever the kind. */
function appending(reportId: RawBuilder<number>, event: RunEvent, when: RawBuilder<unknown>) {
  const { kind: _kind, ...same } = { kind: undefined, ...event };
  return sql`
    insert into report_streams as stream (report_id, events)
    select ${reportId}, ${JSON.stringify([event])}::jsonb where exists (${when})
    on conflict (report_id) do update set events = stream.events || excluded.events
    where not stream.events @> ${JSON.stringify([same])}::jsonb`;
}
