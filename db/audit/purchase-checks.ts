import { strandedAfterMinutes } from '../../purchase/limits.js';
import { type AuditScope, check, minutesBefore } from './scope.js';

/**
 * Purchases against ledger and reports. Checked invariants: the credits of a purchase are what its transfers
 * moved, from the pool it names; a charged purchase was delivered, or is in flight for a limited time; a
 * refunded fresh purchase has a failed report.
 */
export function purchaseChecks(now: Date, scope: AuditScope) {
  return [...movedCredits(scope), ...deliveries(scope), stranded(now)];
}

const movedCredits = (scope: AuditScope) => [
  check`
    select format('purchase %s (%s) is for %s credits, but its charge took %s and its refund returned %s',
      id, state, credits, -charged, refunded) as summary
    from (
      select purchase.id, purchase.state, coalesce(purchase.credits, 0) as credits,
        coalesce(sum(amount_credits) filter (where transfer_id = charge_transfer_id), 0) as charged,
        coalesce(sum(amount_credits) filter (where transfer_id = refund_transfer_id), 0) as refunded
      from report_purchases as purchase
      left join ledger_entries as entry
        on entry.transfer_id in (purchase.charge_transfer_id, purchase.refund_transfer_id)
        and entry.ledger_account_id in (select id from ledger_accounts where account_id = purchase.account_id)
      where ${scope.purchase('purchase.id')}
      group by purchase.id
    ) as sold
    where charged <> -credits or refunded <> case state when 'refunded' then credits else 0 end`,
  check`
    select format('purchase %s names the pool %s, but its charge %s took from %s',
      purchase.id, purchase.pool, entry.transfer_id, holder.name) as summary
    from report_purchases as purchase
    join ledger_entries as entry on entry.transfer_id = purchase.charge_transfer_id
    join ledger_accounts as holder on holder.id = entry.ledger_account_id
    where ${scope.purchase('purchase.id')} and holder.account_id is not null and holder.name <> purchase.pool`,
  check`
    select format('transfer %s belongs to no purchase', transfer.id) as summary
    from ledger_transfers as transfer
    where transfer.report_id is not null and ${scope.transfer('transfer.id')}
      and not exists (select from report_purchases where charge_transfer_id = transfer.id)
      and not exists (select from report_purchases where refund_transfer_id = transfer.id)`,
];

const deliveries = (scope: AuditScope) => [
  check`
    select format('report %s failed, but purchase %s is still charged', report.id, purchase.id) as summary
    from report_purchases as purchase join reports as report on report.id = purchase.report_id
    where purchase.state = 'charged' and report.status = 'failed' and ${scope.purchase('purchase.id')}`,
  check`
    select format('report %s is %s, but purchase %s of it was refunded', report.id, report.status, purchase.id) as summary
    from report_purchases as purchase join reports as report on report.id = purchase.report_id
    where purchase.state = 'refunded' and purchase.kind = 'fresh' and report.status <> 'failed'
      and ${scope.purchase('purchase.id')}`,
  check`
    select format('purchase %s is cached, but report %s is %s', purchase.id, report.id, report.status) as summary
    from report_purchases as purchase join reports as report on report.id = purchase.report_id
    where purchase.state = 'charged' and purchase.kind = 'cached' and report.status in ('pending', 'processing')
      and ${scope.purchase('purchase.id')}`,
  check`
    select format('report %s was sold as fresh %s times', report_id, count(*)) as summary
    from report_purchases where kind = 'fresh' and ${scope.report('report_id')}
    group by report_id having count(*) > 1`,
];

function stranded(now: Date) {
  const before = minutesBefore(now, strandedAfterMinutes);
  return check`
    select format('report %s is stranded: charged by purchase %s, still %s after %s minutes',
      report.id, purchase.id, report.status, ${strandedAfterMinutes}::integer) as summary
    from report_purchases as purchase join reports as report on report.id = purchase.report_id
    where purchase.state = 'charged' and purchase.kind = 'fresh'
      and report.simulated in (true, false) and report.status in ('pending', 'processing')
      and report.created_at < ${before}`;
}
