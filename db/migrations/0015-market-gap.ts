import { type Kysely, sql } from 'kysely';

/** A member may explain why council and market differ: an answer that belongs to no stage. Release 1.0.0 stores none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table stage_results
      drop constraint if exists stage_results_stage_check,
      drop constraint if exists answers_have_a_purpose,
      add constraint answers_have_a_purpose
        check (stage in ('research', 'opinions', 'cross_review', 'synthesis', 'market_gap')) not valid`.execute(
    db,
  );
  await sql`alter table stage_results validate constraint answers_have_a_purpose`.execute(db);
}
