import { type Kysely, sql } from 'kysely';
import { buildIndex } from './online.js';

/** The batch that a purchase is a row of. Most have none, and those of earlier releases never. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report_purchases
      add column if not exists batch_id uuid,
      drop constraint if exists report_purchases_batch,
      add constraint report_purchases_batch foreign key (batch_id) references batches (id) not valid`.execute(
    db,
  );
  await sql`alter table report_purchases validate constraint report_purchases_batch`.execute(db);
  await buildIndex(db, {
    name: 'report_purchases_of_batch',
    on: sql`report_purchases (batch_id) where batch_id is not null`,
  });
}
