import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { givePastReports, hasPastReports } from '../../../db/track-record/past-reports.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { sampleReports } from '../../../simulator/record/sample-reports.js';
import { redoNumbers } from '../../support/dump/redo-numbers.js';
import { sampleService } from '../../support/record/sample-service.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

test('the sample record is written once, verified and computed again, and costs nobody anything', async () => {
  const reports = sampleReports(sampleService);
  const [first, second] = [await world.openAccount(0), await world.openAccount(0)];
  const give = (accountId: string) =>
    givePastReports(world.db, { accountId, now: noon, newId: randomUUID }, reports);
  expect(await hasPastReports(world.db)).toBe(false);
  expect(await Promise.all([give(first), give(second)])).toEqual([reports.length, reports.length]);
  expect(await hasPastReports(world.db)).toBe(true);

  const [counted] = await world.sql(`
    select (select count(*) from reports)::int as reports, (select count(*) from reports where simulated)::int as simulated,
      (select count(*) from report_purchases)::int as purchases, (select sum(credits) from report_purchases)::int as credits,
      (select count(*) from quotes)::int as quotes, (select count(*) from ledger_transfers)::int as transfers`);
  const { length } = reports;
  expect(counted).toMatchObject({
    reports: length,
    simulated: length,
    purchases: 2 * length,
    credits: 0,
    quotes: 0,
  });
  expect(await verifyRecord(world.db)).toMatchObject({ entries: 2 * length, faults: [] });
  expect(await redoNumbers(world.db)).toMatchObject({ redone: { reports: length }, differences: [] });
  expect(await auditBooks(world.db, noon)).toMatchObject({ drift: [] });
});
