import { type Kysely, sql } from 'kysely';

/**
 * What another venue priced the same questions at when a report was completed. Most reports have none, and those of
 * earlier releases never. Frozen by the trigger of migration 0003, as all of a completed report. Reports are many: they are
 * compared with the constraint beside writers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reports
      add column if not exists other_venue json,
      drop constraint if exists other_venue_of_completed,
      add constraint other_venue_of_completed
        check (other_venue is null or status = 'completed') not valid`.execute(db);
  await sql`alter table reports validate constraint other_venue_of_completed`.execute(db);
}
