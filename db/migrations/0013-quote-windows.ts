import { type Kysely, sql } from 'kysely';

/**
 * Each quote keeps the price window it is in, from which the next one is computed, and the cost that moved it, so it
 * can be computed again after the model calls of its run are pruned. Quotes of the version before have none of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table quotes
      add column window_began_at timestamptz,
      add column window_credits integer check (window_credits > 0),
      add column cost_usd_micros bigint check (cost_usd_micros >= 0),
      add constraint quotes_window_whole
        check (num_nulls(window_began_at, window_credits, cost_usd_micros) in (0, 3))`.execute(db);
}
