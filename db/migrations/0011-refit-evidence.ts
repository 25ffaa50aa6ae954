import { type Kysely, sql } from 'kysely';

/**
 * What the challengers' predictions showed at each refit. Null for refits of 1.0.0, which compared by another rule:
 * what they fitted is no challenger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table weights_refits
      add column e_value double precision,
      add column events_counted integer`.execute(db);
}
