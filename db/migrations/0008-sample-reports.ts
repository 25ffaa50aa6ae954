import { type Kysely, sql } from 'kysely';

/** Simulated reports that everybody may read before signing up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sample_reports (
      report_id bigint primary key references reports (id),
      account_id uuid not null references accounts (id),
      shown_at timestamptz not null
    )`.execute(db);
}
