import { type Kysely, sql } from 'kysely';

/**
 * What has happened in a run, in order, for the event stream of its report: one small row a report, so that its lock orders
 * what happens at the same time. Reports of release 1.0.0 have none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_streams (
      report_id bigint primary key references reports (id),
      events jsonb not null check (jsonb_typeof(events) = 'array')
    )`.execute(db);
}
