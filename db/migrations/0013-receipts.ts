import { type Kysely, sql } from 'kysely';
import { buildIndex } from './online.js';

/**
 * The record is time-stamped some minutes after each sale and not once a UTC day (ADR 34). Release 1.0.0 goes on adding a
 * receipt for each day; those of this release name none. The index finds the first receipt that covers an entry; how many
 * forecasts that proves is stored beside the figures, where release 1.0.0 does not replace it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table record_timestamps alter column utc_day drop not null`.execute(db);
  await sql`alter table track_records add column if not exists proof json`.execute(db);
  await buildIndex(db, {
    name: 'record_timestamps_covering',
    on: sql`record_timestamps (seq, stamped_at)`,
  });
}
