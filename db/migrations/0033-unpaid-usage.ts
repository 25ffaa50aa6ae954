import { type Kysely, sql } from 'kysely';
import { buildIndex } from './online.js';

/** Finds the usage of an account that is not paid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(db, {
    name: 'usage_outbox_unpaid',
    on: sql`usage_outbox (account_id) where paid_at is null`,
  });
}
