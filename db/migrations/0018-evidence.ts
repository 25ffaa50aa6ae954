import { type Kysely, sql } from 'kysely';

/** What a member's search returned is stored like its answers, and the searches that a vendor bills are counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table stage_results
      drop constraint stage_results_stage_check,
      add constraint stage_results_stage_check
        check (stage in ('research', 'opinions', 'cross_review', 'synthesis'))`.execute(db);
  await sql`
    alter table provider_calls
      add column searches integer not null default 0 check (searches >= 0)`.execute(db);
}
