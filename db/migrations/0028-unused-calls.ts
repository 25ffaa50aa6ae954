import { type Kysely, sql } from 'kysely';

/**
 * What a call cost whose vendor reported no usage is estimated, and each call says whether its answer was used. Both
 * columns are added without a pass over the table: old rows have no estimate, and do not say whether they were used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table provider_calls
      add column estimated_usd_micros bigint not null default 0,
      add column used boolean,
      add constraint provider_calls_estimated_usd_micros_check check (estimated_usd_micros >= 0) not valid`.execute(
    db,
  );
}
