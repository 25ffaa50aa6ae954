import { type Kysely, sql } from 'kysely';

/**
 * What the venue said about each market, by which a resolution was stored. Null where only prices were read, as 1.0.0
 * did.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resolutions add column final_words jsonb`.execute(db);
}
