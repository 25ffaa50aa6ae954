import { type Kysely, sql } from 'kysely';

/**
 * What all API processes count together, in the form that `rate-limiter-flexible` expects. Unlogged: a count does not
 * wait for the disk, and is lost when the server crashes, after which counting begins again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table throttle_counts (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    ) with (fillfactor = 70)`.execute(db);
  await sql`create index throttle_counts_by_expire on throttle_counts (expire)`.execute(db);
}
