import { sql } from 'kysely';
import { allowLongReads, type Db, inSnapshot, type Tx } from '../database.js';
import { type AuditHorizon, horizonOf, isOfThisCluster } from './audit-horizon.js';
import { houseCheck } from './house-check.js';
import { grantChecks, ledgerChecks } from './ledger-checks.js';
import { paymentChecks, paymentNotices } from './payment-checks.js';
import { purchaseChecks } from './purchase-checks.js';
import { recordChecks } from './record-checks.js';
import { type AuditCheck, type AuditScope, allRows, rowsWrittenSince } from './scope.js';

/**
 * The audit of the books. Invariants:
 * - it reads one snapshot and writes nothing, so it never sees a transaction half done;
 * - it relies on rows only, not on code in `db/`: its result is wrong only if its own SQL is wrong;
 * - it reports drift and never corrects it: a correction would hide what caused it;
 * - an audit of the changes runs the same checks as an audit of all rows, limited to the rows that were written since
 *   an earlier audit and the rows compared with them (`scope.ts`). What is overdue is always looked for everywhere.
 */
export interface BookAudit {
  /** Contradictions between rows, one sentence each; empty if the books are correct. */
  readonly drift: readonly string[];
  /** What an operator should look at although the books are correct. */
  readonly notices: readonly string[];
  /** How many rows were compared. */
  readonly checked: CheckedRows;
  readonly scope: 'all' | 'changes';
  /** Where an audit of the changes continues, if this one found no drift. */
  readonly horizon: AuditHorizon;
}

export type CheckedRows = Readonly<Record<AuditedTable, number>>;

/**
 * Compares the rows that money depends on.
 * @param now decides what is overdue: a run, a weekly grant, a usage to be sent
 * @param since the horizon of an earlier audit without drift, to compare only what was written since; null for all
 *   rows. A horizon of another cluster is ignored.
 * @param withinMs when it is given up. By default each statement has a minute, however many there are.
 */
export async function auditBooks(
  db: Db,
  now: Date,
  since: AuditHorizon | null = null,
  withinMs = Infinity,
): Promise<BookAudit> {
  const endMs = performance.now() + withinMs;
  return inSnapshot(db, async tx => {
    await allowLongReads(tx);
    const horizon = await horizonOf(tx);
    const known = since !== null && isOfThisCluster(since, horizon) ? since : null;
    const scope = known === null ? allRows : rowsWrittenSince(known.writtenBefore);
    const checks = [
      ...ledgerChecks(scope),
      ...purchaseChecks(now, scope),
      ...grantChecks(now, scope),
      ...paymentChecks(now, scope),
      houseCheck(now, scope),
      ...recordChecks(now, scope),
    ];
    return {
      drift: await runChecks(tx, checks, endMs),
      notices: await runChecks(tx, paymentNotices, endMs),
      checked: await countRows(tx, scope),
      scope: known === null ? 'all' : 'changes',
      horizon,
    };
  });
}

async function runChecks(tx: Tx, checks: readonly AuditCheck[], endMs: number): Promise<string[]> {
  const summaries: string[] = [];
  for (const check of checks) {
    if (performance.now() >= endMs) throw new Error('the audit did not finish in its time');
    const { rows } = await check.execute(tx);
    summaries.push(...rows.map(row => row.summary));
  }
  return summaries;
}

type AuditedTable =
  | 'transfers'
  | 'entries'
  | 'purchases'
  | 'reports'
  | 'weekly_grants'
  | 'usage'
  | 'checkouts';

async function countRows(tx: Tx, scope: AuditScope): Promise<CheckedRows> {
  const { rows } = await sql<CheckedRows>`
    select
      (select count(*) from ledger_transfers where ${scope.transfer('id')}) as transfers,
      (select count(*) from ledger_entries where ${scope.transfer('transfer_id')}) as entries,
      (select count(*) from report_purchases where ${scope.purchase('id')}) as purchases,
      (select count(*) from reports where ${scope.report('id')}) as reports,
      (select count(*) from weekly_grants where ${scope.grantsOf('account_id')}) as weekly_grants,
      (select count(*) from usage_outbox where ${scope.usage('id')}) as usage,
      (select count(*) from checkouts where ${scope.checkout('id')}) as checkouts`.execute(tx);
  const [counts] = rows;
  if (counts === undefined) throw new Error('the database returned no counts');
  return counts;
}
