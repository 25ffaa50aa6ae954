import { type Kysely, sql } from 'kysely';

/**
 * What all API processes count together, in the form that `rate-limiter-flexible` expects, and the places that the held
 * answers of an account take. Unlogged: nothing waits for the disk, and counting begins again after a crash. Without a
 * reference to the account, because the lock on its row would be logged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table throttle_counts (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    ) with (fillfactor = 70);
    create index throttle_counts_by_expire on throttle_counts (expire);
    create unlogged table held_answers (
      account_id uuid primary key,
      ends timestamptz[] not null
    )`.execute(db);
}
