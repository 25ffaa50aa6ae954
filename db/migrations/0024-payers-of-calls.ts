import { type Kysely, sql } from 'kysely';
import { buildIndex, dropIndex, inBatches } from './online.js';

/** Who paid for the calls from before 0023, and the index that has the cost of a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await inBatches(
    db,
    { table: 'provider_calls', key: 'id' },
    (after, upTo) => sql`
      update provider_calls as call
      set lane = report.lane,
        pool = (select pool from report_purchases where report_id = report.id and kind = 'fresh')
      from reports as report
      where report.id = call.report_id and call.lane is null and call.id > ${after} and call.id <= ${upTo}`,
  );
  await buildIndex(db, {
    name: 'provider_calls_day',
    on: sql`provider_calls (called_at) include (simulated, cost_usd_micros, lane, pool)`,
  });
  // The new index serves what it did.
  await dropIndex(db, 'provider_calls_age');
}
