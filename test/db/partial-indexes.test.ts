import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { dueUsageQuery } from '../../db/billing/usage-sending.js';
import {
  chargedRunsQuery,
  failedRunsQuery,
  ownedReportQuery,
  refundedRunsQuery,
  sharedReportQuery,
} from '../../db/purchases/purchase-situation.js';
import { noon, useTestWorld } from './support/test-world.js';

const world = useTestWorld();

interface Explainable {
  explain(format: 'text'): Promise<Record<string, string>[]>;
}

const planOf = async (query: Explainable): Promise<string> =>
  (await query.explain('text')).map(line => line['QUERY PLAN']).join('\n');

const request = { accountId: '00000000-0000-4000-8000-000000000001', eventId: 'rain', utcDay: '2031-03-05' };

test('the sender of usage reads through the partial index', async () => {
  await world.db.connection().execute(async db => {
    await sql`set enable_seqscan = off`.execute(db);
    await sql`set enable_bitmapscan = off`.execute(db);
    const plan = await planOf(dueUsageQuery(db, noon, { customersMax: 200, rowsPerCustomerMax: 20 }));
    expect(plan.match(/usage_outbox_due/g)).toHaveLength(2);
    expect(plan).not.toContain('Seq Scan');
  });
});

test('a purchase decision reads through the partial indexes', async () => {
  await world.db.connection().execute(async db => {
    // The tables are empty, so the planner would prefer to scan them.
    await sql`set enable_seqscan = off`.execute(db);
    expect(await planOf(sharedReportQuery(db, request, true))).toContain('reports_shared_today');
    const { accountId, eventId } = request;
    expect(await planOf(chargedRunsQuery(db, accountId, noon))).toContain('report_purchases_runs');
    expect(await planOf(refundedRunsQuery(db, accountId, noon))).toContain('report_purchases_refunded_runs');
    const failedRuns = failedRunsQuery(db, { eventId, simulated: true, now: noon });
    expect(await planOf(failedRuns)).toContain('reports_failed_runs');
    expect(await planOf(ownedReportQuery(db, request, true))).toMatch(
      /report_purchases_once|reports_one_live_a_day/,
    );
  });
});
