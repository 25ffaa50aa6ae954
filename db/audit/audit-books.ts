import { allowLongReads, type Db, type Tx } from '../database.js';
import type { Check } from './check.js';
import { grantChecks, ledgerChecks } from './ledger-checks.js';
import { paymentChecks, paymentNotices } from './payment-checks.js';
import { purchaseChecks } from './purchase-checks.js';

/**
 * The audit of the books. Invariants:
 * - it reads one snapshot and writes nothing, so it never sees a transaction half done;
 * - it relies on rows only, not on code in `db/`: its result is wrong only if its own SQL is wrong;
 * - it reports drift and never corrects it: a correction would hide what caused it.
 */
export interface BookAudit {
  /** Contradictions between rows, one sentence each; empty if the books are correct. */
  readonly drift: readonly string[];
  /** What an operator should look at although the books are correct. */
  readonly notices: readonly string[];
  /** How many rows were compared. */
  readonly checked: CheckedRows;
}

export type CheckedRows = Readonly<Record<AuditedTable, number>>;

/**
 * Compares all rows that money depends on.
 * @param now decides what is overdue: a run, a weekly grant, a usage to be sent
 */
export async function auditBooks(db: Db, now: Date): Promise<BookAudit> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await allowLongReads(tx);
      const checks = [...ledgerChecks, ...purchaseChecks(now), ...grantChecks(now), ...paymentChecks(now)];
      return {
        drift: await runChecks(tx, checks),
        notices: await runChecks(tx, paymentNotices),
        checked: await countRows(tx),
      };
    });
}

async function runChecks(tx: Tx, checks: readonly Check[]): Promise<string[]> {
  const summaries: string[] = [];
  for (const check of checks) {
    const { rows } = await check.execute(tx);
    summaries.push(...rows.map(row => row.summary));
  }
  return summaries;
}

const auditedTables = {
  transfers: 'ledger_transfers',
  entries: 'ledger_entries',
  purchases: 'report_purchases',
  reports: 'reports',
  weekly_grants: 'weekly_grants',
  usage: 'usage_outbox',
  checkouts: 'checkouts',
} as const;

type AuditedTable = keyof typeof auditedTables;

async function countRows(tx: Tx): Promise<CheckedRows> {
  const count = async (table: AuditedTable) => {
    const { rows } = await tx
      .selectFrom(auditedTables[table])
      .select(eb => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return rows;
  };
  return {
    transfers: await count('transfers'),
    entries: await count('entries'),
    purchases: await count('purchases'),
    reports: await count('reports'),
    weekly_grants: await count('weekly_grants'),
    usage: await count('usage'),
    checkouts: await count('checkouts'),
  };
}
