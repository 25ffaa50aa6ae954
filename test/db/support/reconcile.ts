import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';

/** Everything in the books that does not add up, one sentence each. Asks the rows, and trusts no code of `db/`. */
export async function reconcile(db: Db): Promise<string[]> {
  const found = await Promise.all(audits.map(audit => audit.execute(db)));
  return found.flatMap(({ rows }) => rows.map(row => row.fault));
}

/** Entries of the house are numbered before they wait for each other, so only customers' ones are in order. */
const audits = [
  sql<Fault>`
    select format('account %s holds %s, its entries add up to %s', held.id, held.balance_credits, held.total) as fault
    from (
      select holder.id, holder.balance_credits, coalesce(sum(entry.amount_credits), 0) as total
      from ledger_accounts as holder left join ledger_entries as entry on entry.ledger_account_id = holder.id
      group by holder.id
    ) as held where held.total <> held.balance_credits`,
  sql<Fault>`
    select format('transfer %s has %s legs that add up to %s', written.id, written.legs, written.total) as fault
    from (
      select transfer.id, count(entry.id) as legs, coalesce(sum(entry.amount_credits), 0) as total
      from ledger_transfers as transfer left join ledger_entries as entry on entry.transfer_id = transfer.id
      group by transfer.id
    ) as written where written.legs < 2 or written.total <> 0`,
  sql<Fault>`
    select format('entry %s says %s afterwards, it was %s', told.id, told.balance_after, told.running) as fault
    from (
      select id, balance_after,
        sum(amount_credits) over (partition by ledger_account_id order by id) as running
      from ledger_entries
      where ledger_account_id in (select id from ledger_accounts where account_id is not null)
    ) as told where told.running <> told.balance_after`,
  sql<Fault>`
    select format('account %s is overdrawn by %s', id, -balance_credits) as fault
    from ledger_accounts where account_id is not null and balance_credits < 0`,
  sql<Fault>`
    select format('refund %s is not the inverse of charge %s', id, reverses) as fault
    from ledger_transfers as refund
    where reverses is not null and (
      select string_agg(format('%s:%s', ledger_account_id, -amount_credits), ' ' order by ledger_account_id)
      from ledger_entries where transfer_id = refund.reverses
    ) is distinct from (
      select string_agg(format('%s:%s', ledger_account_id, amount_credits), ' ' order by ledger_account_id)
      from ledger_entries where transfer_id = refund.id
    )`,
  sql<Fault>`
    select format('purchase %s (%s) says %s credits, its account moved by %s', id, state, credits, moved) as fault
    from (
      select purchase.id, purchase.state, purchase.credits, coalesce(sum(entry.amount_credits), 0) as moved
      from report_purchases as purchase
      left join ledger_entries as entry
        on entry.transfer_id in (purchase.charge_transfer_id, purchase.refund_transfer_id)
        and entry.ledger_account_id in (select id from ledger_accounts where account_id = purchase.account_id)
      group by purchase.id
    ) as sold where moved <> case state when 'charged' then -credits else 0 end`,
  sql<Fault>`
    select format('transfer %s charges for no purchase', transfer.id) as fault
    from ledger_transfers as transfer
    where transfer.report_id is not null and not exists (
      select from report_purchases where transfer.id in (charge_transfer_id, refund_transfer_id)
    )`,
];

interface Fault {
  readonly fault: string;
}
