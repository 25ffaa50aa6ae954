import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * What an audit looks at: all rows, or the rows that transactions have written since an earlier audit, and every row
 * that these rows are compared with. A check states its condition once; for an audit of all rows it is `true`.
 */
export interface AuditScope {
  /** Each takes the column with the id of the row, as in `sql.ref('purchase.id')`. */
  readonly transfer: Condition;
  /**
   * Ledger accounts of customers, and those of the house in an audit of all rows only: each has half of all entries.
   */
  readonly holder: Condition;
  readonly purchase: Condition;
  readonly report: Condition;
  readonly usage: Condition;
  readonly checkout: Condition;
  /** A condition on the account id: accounts whose weekly grants may have changed. */
  readonly grantsOf: Condition;
  /** A condition on the time of a call, or the hour of a sum: since the first hour that may have changed. */
  readonly spentAt: Condition;
}

type Condition = (id: string) => RawBuilder<SqlBool>;

const everyRow: Condition = () => sql<SqlBool>`true`;

export const allRows: AuditScope = {
  transfer: everyRow,
  holder: everyRow,
  purchase: everyRow,
  report: everyRow,
  usage: everyRow,
  checkout: everyRow,
  grantsOf: everyRow,
  spentAt: everyRow,
};

/** The rows written by the transactions from `writtenBefore` on, and the rows that are compared with them. */
export function rowsWrittenSince(writtenBefore: string): AuditScope {
  const isWritten = sql`written_by >= ${writtenBefore}::xid8`;
  const among =
    (ids: RawBuilder<unknown>): Condition =>
    id =>
      sql<SqlBool>`${sql.ref(id)} in (${ids})`;
  const transfers = sql`select id from ledger_transfers where ${isWritten}`;
  const lots = sql`select account_id, used_by from weekly_grants where ${isWritten}`;
  const purchases = sql`
    select id from report_purchases where ${isWritten}
    union select report_purchases.id from report_purchases
      join (select id from reports where ${isWritten}) as report on report.id = report_id
    union select used_by from (${lots}) as lot where used_by is not null
    union select report_purchases.id from report_purchases
      join (${lots}) as lot on lot.account_id = report_purchases.account_id
    where pool = 'weekly_grant' and report_id is not null`;
  return {
    transfer: among(transfers),
    holder: among(sql`
      select holder.id from ledger_entries join ledger_accounts as holder on holder.id = ledger_account_id
      where transfer_id in (${transfers}) and holder.account_id is not null`),
    purchase: among(purchases),
    report: among(sql`
      select id from reports where ${isWritten}
      union select report_id from report_purchases where ${isWritten} and report_id is not null`),
    usage: among(sql`select id from usage_outbox where ${isWritten} union ${purchases}`),
    checkout: among(sql`
      select id from checkouts where ${isWritten}
      union select checkouts.id from checkouts join ledger_transfers as moved on moved.account_id = checkouts.account_id
      where moved.id in (${transfers}) and moved.kind in ('purchase', 'adjustment')`),
    grantsOf: among(sql`
      select account_id from (${lots}) as lot
      union select account_id from ledger_transfers where ${isWritten}`),
    spentAt: time => sql<SqlBool>`${sql.ref(time)} >= (select min(hour) from house_spend where ${isWritten})`,
  };
}

/** A query of the audit: each row it returns is one contradiction, as a sentence. */
export type AuditCheck = ReturnType<typeof check>;

export const check = sql<{ readonly summary: string }>;

/** The moment before which something is overdue. */
export function minutesBefore(now: Date, minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000);
}
