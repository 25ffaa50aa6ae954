import { type Kysely, sql } from 'kysely';

/** Whether an account's address is known to be its owner's, and whether an operator has suspended the account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column email_verified_at timestamptz,
      add column suspended_at timestamptz,
      add column suspended_because text,
      add constraint accounts_suspended check ((suspended_at is null) = (suspended_because is null))`.execute(
    db,
  );
}
