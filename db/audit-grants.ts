import { sql } from 'kysely';
import type { Finding } from './audit-books.js';

/** How long a lot may still hold credits after its end: the chore that takes them back comes by once an hour. */
const expiryGraceMinutes = 60;

/**
 * Weekly grants. Invariants it holds the rows to: the pool of an account holds what its lots hold; what was paid by a
 * grant was paid by exactly one lot; what was not used in time is taken back.
 */
export function auditGrants(now: Date) {
  const overdue = new Date(now.getTime() - expiryGraceMinutes * 60_000);
  return [
    sql<Finding>`
      select format('the weekly grants of account %s hold %s credits, its pool %s',
        coalesce(lots.account_id, pool.account_id), coalesce(lots.held, 0), coalesce(pool.balance_credits, 0)) as told
      from (select account_id, sum(held_credits) as held from weekly_grants group by account_id) as lots
      full join (select account_id, balance_credits from ledger_accounts where name = 'weekly_grant') as pool
        on pool.account_id = lots.account_id
      where coalesce(lots.held, 0) <> coalesce(pool.balance_credits, 0)`,
    sql<Finding>`
      select format('the weekly grant of %s of account %s is over, and still holds %s credits',
        week, account_id, held_credits) as told
      from weekly_grants where held_credits > 0 and usable_until < ${overdue}`,
    sql<Finding>`
      select format('the weekly grant of %s of account %s is used by purchase %s, which it does not pay for',
        lot.week, lot.account_id, lot.used_by) as told
      from weekly_grants as lot join report_purchases as purchase on purchase.id = lot.used_by
      where (purchase.state, purchase.pool, purchase.account_id)
        is distinct from ('charged', 'weekly_grant', lot.account_id)`,
    sql<Finding>`
      select format('purchase %s was paid by a weekly grant, and no lot was used for it', purchase.id) as told
      from report_purchases as purchase
      where purchase.state = 'charged' and purchase.pool = 'weekly_grant'
        and not exists (select from weekly_grants where used_by = purchase.id)`,
  ];
}
