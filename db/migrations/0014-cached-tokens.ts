import { type Kysely, sql } from 'kysely';

/**
 * The parts of a call's input that its vendor's prompt cache served and stored, which it bills at other prices. Calls of
 * release 1.0.0 name neither: it sent nothing to a cache, and priced what one served as other input.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table provider_calls
      add column cached_input_tokens integer not null default 0,
      add column cache_write_tokens integer not null default 0`.execute(db);
}
