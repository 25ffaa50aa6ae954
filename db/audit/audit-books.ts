import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';
import { auditGrants, auditLedger } from './ledger-checks.js';
import { auditPayments } from './payment-checks.js';
import { auditPurchases } from './purchase-checks.js';

/**
 * The audit of the books. Invariants:
 * - it reads one snapshot and writes nothing: a run that goes on meanwhile is never seen half done;
 * - it asks the rows, and trusts no code of `db/`: what it says can be wrong only where its own SQL is;
 * - it tells, and mends nothing: whoever corrects books by themselves hides what broke them.
 */
export interface BookAudit {
  /** What cannot be, one sentence each; empty when the books are right. */
  readonly drift: readonly string[];
  /** What a person should look at, though the books are right. */
  readonly notices: readonly string[];
  /** How many rows were held against one another. */
  readonly checked: CheckedRows;
}

export type CheckedRows = Readonly<Record<AuditedTable, number>>;

/** One sentence a row. */
export interface Finding {
  readonly summary: string;
}

/**
 * Holds every row that money depends on against every other.
 * @param now by what hour it is judged what is late: a run, a weekly grant, a usage to be sent
 */
export async function auditBooks(db: Db, now: Date): Promise<BookAudit> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await sql`select set_config('statement_timeout', ${`${auditStatementMaxMs}`}, true)`.execute(tx);
      const payments = auditPayments(now);
      const drift = [...auditLedger, ...auditPurchases(now), ...auditGrants(now), ...payments.drift];
      return {
        drift: await summariesOf(tx, drift),
        notices: await summariesOf(tx, payments.notices),
        checked: await countRows(tx),
      };
    });
}

/** Whole tables are read here: longer than any statement that a caller waits for. */
const auditStatementMaxMs = 60_000;

async function summariesOf(tx: Tx, audits: readonly Audit[]): Promise<string[]> {
  const summaries: string[] = [];
  for (const audit of audits) {
    const { rows } = await audit.execute(tx);
    summaries.push(...rows.map(row => row.summary));
  }
  return summaries;
}

type Audit = ReturnType<typeof sql<Finding>>;

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
