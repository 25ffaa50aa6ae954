import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { presentReport } from '../../api/present/report.js';
import { createFrozenParts } from '../../api/reading/frozen-parts.js';
import { createRecordEntries } from '../../api/reading/record-entries.js';
import { viewReport } from '../../api/reading/view-report.js';
import { reportShape } from '../../contract/reports.js';
import { firstWeights, shippedWeights } from '../../council/estimate/first-weights.js';
import { auditBooks } from '../../db/audit/audit-books.js';
import { readCurrentWeights } from '../../db/estimate/weights.js';
import { migrate } from '../../db/migrate.js';
import { refundPurchase } from '../../db/purchases/refunds.js';
import { sealRecord } from '../../db/track-record/seal-record.js';
import { verifyRecord } from '../../db/track-record/verify-record.js';
import { dumpDatabase, restoreDatabase } from '../support/dump/dump-database.js';
import { fillService } from '../support/dump/fill-service.js';
import { redoNumbers } from '../support/dump/redo-numbers.js';
import { createEmptyDatabase, type TestDatabase } from '../support/service/test-database.js';
import { longDeadlines, startTestService } from '../support/service/test-service.js';

/**
 * A database that a release wrote: reports of every state, lane and end. Every later version must start on it and
 * compute each of its numbers again, bit for bit.
 *
 * A release writes the one of its version: `CAPTURE_DUMP=1 npm run test:one -- test/db/upgrade`. None is ever replaced.
 */
const fixture = 'test/db/fixtures/1.0.0.sql';

let database: TestDatabase;

beforeAll(async () => {
  if (process.env['CAPTURE_DUMP'] !== undefined) {
    const service = await startTestService({ stageDeadlinesMs: longDeadlines });
    try {
      await fillService(service);
      const dump = await dumpDatabase(service.database.url);
      // Nothing that the built-in accounts keep: passwords, sessions and signing keys.
      writeFileSync(fixture, dump.replaceAll(/^insert into auth\..*\n/gm, ''), { flag: 'wx' });
    } finally {
      await service.stop();
    }
  }
  database = await createEmptyDatabase();
  await restoreDatabase(database.ownerUrl, readFileSync(fixture, 'utf8'));
  await migrate(database.ownerUrl);
}, 120_000);

afterAll(() => database.drop());

const distinct = async (expression: string, from: string) => {
  const { rows } = await database.pool.query(
    `select distinct ${expression} as value from ${from} order by 1`,
  );
  return rows.map(({ value }) => value);
};

describe('on a database of 1.0.0', () => {
  test('there are reports of every state, lane and end, and grades of every state', async () => {
    expect(await distinct('status', 'reports')).toEqual(['completed', 'failed', 'pending', 'processing']);
    expect(await distinct('lane', 'reports')).toEqual(['byok', 'credits', 'subscription']);
    expect(await distinct('state', 'report_purchases')).toEqual(['charged', 'refunded', 'void']);
    expect(await distinct('pool', 'report_purchases where pool is not null')).toHaveLength(2);
    expect(await distinct('failure_code', 'reports where failure_code is not null')).toEqual([
      'abandoned',
      'cancelled',
      'event_closed',
      'internal',
      'market_unavailable',
      'no_chairman',
      'quorum_lost',
    ]);
    expect(await distinct('state', 'grades')).toEqual(['disputed', 'fifty_fifty', 'graded', 'void']);
    expect(await distinct(`json_array_length(dropouts) > 0`, `reports where dropouts is not null`)).toEqual([
      false,
      true,
    ]);
  });

  test('every conclusion, forecast, grade and quote is computed again, bit for bit', async () => {
    const { redone, differences } = await redoNumbers(database.db);
    expect(differences).toEqual([]);
    expect(redone).toEqual({ reports: 5, grades: 5, quotes: 4 });
  });

  test('its reports are presented by the contract of this release, without what 1.0.0 did not ask for', async () => {
    const { db } = database;
    const readRecordEntry = createRecordEntries({ db, now: () => new Date() });
    const reader = { db, readRecordEntry, frozenParts: createFrozenParts(db, readRecordEntry) };
    const { rows } = await database.pool.query(
      `select distinct on (report_id) report_id as id, report_purchases.account_id as "accountId"
       from report_purchases join reports on reports.id = report_id where status = 'completed' and state = 'charged'`,
    );
    expect(rows).toHaveLength(5);
    for (const bought of rows) {
      const found = await viewReport(reader, bought);
      const sent = found && JSON.parse(JSON.stringify(presentReport(found)));
      // A field that the contract does not have would be lost here.
      expect(reportShape.parse(sent)).toEqual(sent);
      expect(sent.council_config.runtime).toMatchObject({
        method: { name: 'council/1' },
        subject: null,
        outside_view: [],
        resolution_risk: null,
        market_gap: null,
      });
      const { opinions, synthesis, market_gap } = sent.deliberation;
      expect([synthesis.triggers, market_gap]).toEqual([[], null]);
      for (const opinion of opinions)
        expect(opinion).toMatchObject({
          rule: null,
          base_rates: [],
          outside_view: null,
          range: null,
          would_change: [],
        });
    }
  });

  test('the weights of this release are in force, and those that 1.0.0 can read are its own', async () => {
    expect((await readCurrentWeights(database.db)).weights).toEqual(shippedWeights);
    expect(await distinct('weights_id', 'weights_activations')).toEqual([firstWeights.id]);
  });

  test('the record and the books are right', async () => {
    await sealRecord(database.db);
    expect(await verifyRecord(database.db)).toMatchObject({ faults: [] });
    const { drift, notices } = await auditBooks(database.db, new Date(0));
    expect({ drift, notices }).toEqual({ drift: [], notices: [] });
  });

  test('runs that are under way or have failed enter the record, and end in it; completed ones keep their entry', async () => {
    await sealRecord(database.db);
    const kinds = `select status, string_agg(kind || '/' || version, ', ' order by seq) as entries
      from reports left join record_entries on report_id = reports.id group by reports.id, status`;
    expect(await distinct(`status || ': ' || entries`, `(${kinds}) as each`)).toEqual([
      'completed: completed/1',
      'failed: sold/2, failed/2',
      'pending: sold/2',
      'processing: sold/2',
    ]);
    const { rows } = await database.pool.query(
      `select purchase.id as "purchaseId", purchase.account_id as "accountId", report.id as "reportId"
       from report_purchases as purchase join reports as report on report.id = purchase.report_id
       where purchase.state = 'charged' and report.status = 'processing' limit 1`,
    );
    const [{ reportId, ...purchase }] = rows;
    await refundPurchase(database.db, { ...purchase, failure: 'abandoned', now: new Date() });
    await sealRecord(database.db);
    expect(await distinct('kind', `record_entries where report_id = ${reportId}`)).toEqual([
      'failed',
      'sold',
    ]);
    expect(await verifyRecord(database.db)).toMatchObject({ faults: [] });
  });

  test.each([
    [
      'an answer',
      `update stage_results set answer = regexp_replace(answer::text, '"probability":[0-9]', '"probability":1')::json`,
    ],
    [
      'a price',
      `update reports set event = regexp_replace(event::text, '"bestAsk":0[.]', '"bestAsk":0.0')::json`,
    ],
    ['a score', `update grades set scores = replace(scores::text, '0.', '0.0')::json`],
    ['the cost of a run', 'update quotes set cost_usd_micros = cost_usd_micros + 8'],
  ])('a change of %s is found', async (_, change) => {
    const dump = await dumpDatabase(database.url);
    const changed = await createEmptyDatabase();
    try {
      await restoreDatabase(changed.ownerUrl, dump);
      await migrate(changed.ownerUrl);
      await changed.pool.query(`alter table ${change.split(' ')[1]} disable trigger user`);
      await changed.pool.query(change);
      expect((await redoNumbers(changed.db)).differences).not.toEqual([]);
    } finally {
      await changed.drop();
    }
  });
});
