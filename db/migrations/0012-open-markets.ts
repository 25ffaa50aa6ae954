import { type Kysely, sql } from 'kysely';

/** How many markets of an independent event a grade leaves open; none of the grades that were stored before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table grades add column open_markets integer not null default 0`.execute(db);
}
