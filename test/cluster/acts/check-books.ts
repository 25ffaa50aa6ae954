import { auditBooks } from '../../../db/audit/audit-books.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { checkMoney } from '../../chaos/books/check-money.js';
import { openReports, openRuns } from '../../chaos/load/settle.js';
import { compareEnds } from '../../support/compare-ends.js';
import { until } from '../../support/until.js';
import type { Stage } from './act.js';

/** All stages of a run that has just started, and the pauses between the attempts of a refund. */
const quietWithinMs = 300_000;

/** Waits until every run has ended without help; then money, record and ends must agree. */
export async function checkBooks(stage: Stage): Promise<readonly string[]> {
  const { cluster, database, temporal, customers, say } = stage;
  const { db } = database;
  await until('no report is open', async () => (await openReports(db)).length === 0, Boolean, quietWithinMs);
  await until('no run is open', async () => (await openRuns({ temporal })) === 0, Boolean, quietWithinMs);
  const audit = await auditBooks(db, new Date());
  await sealRecord(db);
  const record = await verifyRecord(db);
  const reports = await db
    .selectFrom('reports')
    .select(['id', 'status', 'failure_code as failure'])
    .execute();
  const completed = reports.filter(({ status }) => status === 'completed').length;
  const failed = reports.filter(({ status }) => status === 'failed');
  // Temporal's search is some moments behind.
  const differences = await until(
    'the ends agree',
    () => compareEnds(db, temporal),
    isEmpty,
    agreeWithinMs,
  ).catch(() => compareEnds(db, temporal));
  say(
    `${reports.length} reports: ${completed} completed, ${failed.length} failed; ${audit.checked.transfers} transfers, drift ${audit.drift.length}; ${record.entries} entries of the record.`,
  );
  // Without the market of the suite, which answers nothing but single events.
  const doctor = await cluster.build('one').run('doctor', { MARKETS: 'sample' });
  say(`council doctor: ${doctor.split('\n').at(-1)}`);
  return [
    ...audit.drift.map(fault => `drift: ${fault}`),
    ...record.faults.map(fault => `record: ${fault}`),
    ...(record.entries === 2 * reports.length
      ? []
      : [`${reports.length} sales and as many ends, and ${record.entries} entries of the record`]),
    ...(await checkMoney(db, customers)),
    ...failed.map(({ id, failure }) => `sold, then failed by us: report ${id} (${failure})`),
    ...differences,
  ];
}

const agreeWithinMs = 60_000;

function isEmpty(list: readonly string[]): boolean {
  return list.length === 0;
}
