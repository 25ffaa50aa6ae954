import { type Kysely, sql } from 'kysely';

/** When an audit of all rows last did not finish, so that it is not tried again in every round. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_horizon add column full_audit_failed_at timestamptz`.execute(db);
}
