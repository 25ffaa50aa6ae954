import { type Kysely, sql } from 'kysely';

/**
 * Each model call has an ID that its worker gives it, so that a worker which does not know whether its last statement
 * was committed can repeat it without recording the call, and its cost, twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table provider_calls
      add column call_id uuid not null default gen_random_uuid() unique`.execute(db);
}
