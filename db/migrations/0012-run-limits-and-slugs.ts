import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index report_purchases_refunded_runs on report_purchases (account_id, created_at)
    where kind = 'fresh' and state = 'refunded'`.execute(db);
  await sql`
    create index reports_failed_runs on reports (event_id, simulated, ended_at)
    where status = 'failed'`.execute(db);
}
