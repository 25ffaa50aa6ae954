import { expect, test } from '@jest/globals';
import type { Compilable } from 'kysely';
import pg from 'pg';
import { countedRuns } from '../../db/purchases/purchase-situation.js';
import { ownedReports, sharedReports } from '../../db/purchases/purchased-reports.js';
import { noon, useTestWorld } from './support/test-world.js';

const world = useTestWorld();

/**
 * How a statement is run whose plan is kept for all values: an index of some rows only is of use where the statement itself, and no
 * value that comes later, says that it wants no others. Else the whole table is read, or the plan is made anew each time.
 */
const keptPlan = async (statement: Compilable): Promise<string> => {
  // Asked as one text without values, which is the one way in which its parameters may stay open.
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  try {
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (generic_plan) ${statement.compile().sql}`,
    );
    return rows.map(line => line['QUERY PLAN']).join('\n');
  } finally {
    await client.end();
  }
};

const wish = { accountId: '00000000-0000-4000-8000-000000000001', eventId: 'rain', utcDay: '2031-03-05' };

test('what a purchase asks of partial indexes is found by them, whatever the values are', async () => {
  expect(await keptPlan(sharedReports(world.db, wish, true))).toContain('reports_shared_today');
  expect(await keptPlan(countedRuns(world.db, wish.accountId, noon))).toContain('report_purchases_runs');
  expect(await keptPlan(ownedReports(world.db, wish, true))).toMatch(
    /report_purchases_once|reports_one_live_a_day/,
  );
});
