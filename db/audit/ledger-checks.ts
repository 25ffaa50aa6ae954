import { type AuditScope, check, minutesBefore } from './scope.js';

/**
 * Double entry. Checked invariants: a balance is the sum of its entries, a transfer adds up to zero, no
 * customer is overdrawn, and a refund is the exact inverse of its charge. Running balances are checked for
 * customers only: a house entry gets its id before it waits for the row lock, so the ids of house entries are
 * not in the order of their balances.
 */
export const ledgerChecks = (scope: AuditScope) => [
  check`
    select format('account %s holds %s, but its entries add up to %s', held.id, held.balance_credits, held.total) as summary
    from (
      select holder.id, holder.balance_credits, coalesce(sum(entry.amount_credits), 0) as total
      from ledger_accounts as holder left join ledger_entries as entry on entry.ledger_account_id = holder.id
      where ${scope.holder('holder.id')}
      group by holder.id
    ) as held where held.total <> held.balance_credits`,
  check`
    select format('transfer %s has %s legs that add up to %s', written.id, written.legs, written.total) as summary
    from (
      select transfer.id, count(entry.id) as legs, coalesce(sum(entry.amount_credits), 0) as total
      from ledger_transfers as transfer left join ledger_entries as entry on entry.transfer_id = transfer.id
      where ${scope.transfer('transfer.id')}
      group by transfer.id
    ) as written where written.legs < 2 or written.total <> 0`,
  check`
    select format('entry %s records a balance of %s, but it was %s', noted.id, noted.balance_after, noted.running) as summary
    from (
      select id, balance_after,
        sum(amount_credits) over (partition by ledger_account_id order by id) as running
      from ledger_entries
      where ledger_account_id in (select id from ledger_accounts where account_id is not null)
        and ${scope.holder('ledger_account_id')}
    ) as noted where noted.running <> noted.balance_after`,
  check`
    select format('account %s is overdrawn by %s', id, -balance_credits) as summary
    from ledger_accounts where account_id is not null and balance_credits < 0 and ${scope.holder('id')}`,
  check`
    select format('transfer %s of one account moved the credits of another', transfer.id) as summary
    from ledger_transfers as transfer
    where ${scope.transfer('transfer.id')} and exists (
      select from ledger_entries as entry
      join ledger_accounts as holder on holder.id = entry.ledger_account_id
      where entry.transfer_id = transfer.id and holder.account_id <> transfer.account_id
    )`,
  check`
    select format('refund %s is not the inverse of charge %s', id, reverses) as summary
    from ledger_transfers as refund
    where reverses is not null and ${scope.transfer('refund.id')} and (
      select string_agg(format('%s:%s', ledger_account_id, -amount_credits), ' ' order by ledger_account_id)
      from ledger_entries where transfer_id = refund.reverses
    ) is distinct from (
      select string_agg(format('%s:%s', ledger_account_id, amount_credits), ' ' order by ledger_account_id)
      from ledger_entries where transfer_id = refund.id
    )`,
];

/** How long a lot may hold credits after its end: the schedule that takes them back runs once an hour. */
const expiryGraceMinutes = 60;

/**
 * Weekly grants. Checked invariants: the pool of an account equals the sum of its lots; a purchase paid by a
 * grant has exactly one lot; unused credits are taken back in time.
 */
export function grantChecks(now: Date, scope: AuditScope) {
  const overdue = minutesBefore(now, expiryGraceMinutes);
  return [
    check`
      select format('the weekly grants of account %s hold %s credits, but its pool holds %s',
        coalesce(lots.account_id, pool.account_id), coalesce(lots.held, 0), coalesce(pool.balance_credits, 0)) as summary
      from (
        select account_id, sum(held_credits) as held from weekly_grants
        where ${scope.grantsOf('account_id')} group by account_id
      ) as lots
      full join (
        select account_id, balance_credits from ledger_accounts
        where name = 'weekly_grant' and ${scope.grantsOf('account_id')}
      ) as pool on pool.account_id = lots.account_id
      where coalesce(lots.held, 0) <> coalesce(pool.balance_credits, 0)`,
    check`
      select format('the weekly grant of %s of account %s has expired, but still holds %s credits',
        week, account_id, held_credits) as summary
      from weekly_grants where held_credits > 0 and usable_until < ${overdue}`,
    check`
      select format('the weekly grant of %s of account %s is marked as used by purchase %s, which it did not pay for',
        lot.week, lot.account_id, lot.used_by) as summary
      from weekly_grants as lot join report_purchases as purchase on purchase.id = lot.used_by
      where ${scope.purchase('purchase.id')} and (purchase.state, purchase.pool, purchase.account_id)
        is distinct from ('charged', 'weekly_grant', lot.account_id)`,
    check`
      select format('purchase %s was paid by a weekly grant, but no grant is marked as used for it', purchase.id) as summary
      from report_purchases as purchase
      where purchase.state = 'charged' and purchase.pool = 'weekly_grant' and ${scope.purchase('purchase.id')}
        and not exists (select from weekly_grants where used_by = purchase.id)`,
  ];
}
