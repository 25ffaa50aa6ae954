import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import type { Customer } from '../load/customers.js';

/**
 * What the audit of the books does not know: no account paid twice for one event and day, and each balance is what the
 * suite gave less what was paid. Calculated from the rows, without the service's code.
 */
export async function checkMoney(db: Db, customers: readonly Customer[]): Promise<string[]> {
  const paidTwice = await sql<{ fault: string }>`
    select format('%s paid %s times for %s', bought.account_id, count(*), report.event_id) as fault
    from report_purchases as bought join reports as report on report.id = bought.report_id
    where bought.state = 'charged'
    group by bought.account_id, report.event_id, report.utc_day having count(*) > 1`.execute(db);
  const { rows } = await sql<{ accountId: string; given: number }>`
    select holder.account_id as "accountId", (holder.balance_credits + coalesce((
      select sum(credits) from report_purchases
      where account_id = holder.account_id and state = 'charged' and pool = 'purchased'), 0))::float8 as given
    from ledger_accounts as holder where holder.name = 'purchased'`.execute(db);
  const given = new Map(rows.map(row => [row.accountId, row.given]));
  const unbalanced = customers
    .filter(({ accountId, credits }) => given.get(accountId) !== credits)
    .map(({ accountId, credits }) => {
      return `account ${accountId} holds and spent ${given.get(accountId)} credits, and was given ${credits}`;
    });
  return [...paidTwice.rows.map(({ fault }) => fault), ...unbalanced];
}
