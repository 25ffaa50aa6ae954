import { type AuditScope, check, minutesBefore } from './scope.js';

/** How long a usage may wait to be sent: the schedule that sends usage runs once a minute. */
const usageWaitMaxMinutes = 60;

/**
 * Payments. Checked invariants: each report delivered on a subscription is metered once, and nothing else is;
 * a paid checkout gave exactly its credits, once; credits are taken back, or owed, exactly where money was;
 * an account that owes credits has none.
 */
export function paymentChecks(now: Date, scope: AuditScope) {
  return [...usage(scope), unsent(now), ...checkouts(scope), ...reversals(scope)];
}

const usage = (scope: AuditScope) => [
  check`
    select format('report %s was delivered on a subscription, but purchase %s of it is not metered',
      report.id, purchase.id) as summary
    from report_purchases as purchase join reports as report on report.id = purchase.report_id
    where purchase.state = 'charged' and purchase.lane = 'subscription' and report.status = 'completed'
      and ${scope.purchase('purchase.id')}
      and not exists (select from usage_outbox where usage_outbox.id = purchase.id)`,
  check`
    select format('usage %s was recorded for a purchase that is not a delivered report of a subscription',
      usage.id) as summary
    from usage_outbox as usage
    join report_purchases as purchase on purchase.id = usage.id
    left join reports as report on report.id = purchase.report_id
    where ${scope.usage('usage.id')} and (purchase.state, purchase.lane, report.status)
      is distinct from ('charged', 'subscription', 'completed')`,
  check`
    select format('usage %s differs from its purchase in account, report or kind', usage.id) as summary
    from usage_outbox as usage join report_purchases as purchase on purchase.id = usage.id
    where ${scope.usage('usage.id')} and (usage.account_id, usage.report_id, usage.kind)
      is distinct from (purchase.account_id, purchase.report_id, purchase.kind)`,
];

function unsent(now: Date) {
  const before = minutesBefore(now, usageWaitMaxMinutes);
  return check`
    select format('usage %s has been waiting to be sent for more than %s minutes',
      id, ${usageWaitMaxMinutes}::integer) as summary
    from usage_outbox where state = 'pending' and occurred_at < ${before}`;
}

const checkouts = (scope: AuditScope) => [
  check`
    select format('checkout %s was paid for %s credits, but its transfer %s gave %s',
      checkout.id, checkout.credits, transfer.id, coalesce(given.credits, 0)) as summary
    from checkouts as checkout
    join ledger_transfers as transfer on transfer.id = checkout.purchase_transfer_id
    left join lateral (
      select sum(entry.amount_credits) as credits
      from ledger_entries as entry join ledger_accounts as holder on holder.id = entry.ledger_account_id
      where entry.transfer_id = transfer.id and holder.name = 'purchased'
        and holder.account_id = checkout.account_id
    ) as given on true
    where ${scope.checkout('checkout.id')} and (transfer.kind, transfer.account_id, coalesce(given.credits, 0))
      is distinct from ('purchase', checkout.account_id, checkout.credits::numeric)`,
  check`
    select format('transfer %s is a purchase without a checkout', transfer.id) as summary
    from ledger_transfers as transfer
    where transfer.kind = 'purchase' and ${scope.transfer('transfer.id')}
      and not exists (select from checkouts where purchase_transfer_id = transfer.id)`,
];

const reversals = (scope: AuditScope) => [
  check`
    select format('checkout %s records %s credits as taken back, but its adjustments took %s',
      checkout.id, checkout.taken_back_credits, -moved.credits) as summary
    from checkouts as checkout
    cross join lateral (
      select coalesce(sum(entry.amount_credits), 0) as credits
      from ledger_transfers as transfer
      join ledger_entries as entry on entry.transfer_id = transfer.id
      join ledger_accounts as holder on holder.id = entry.ledger_account_id
      where transfer.account_id = checkout.account_id and holder.account_id = checkout.account_id
        and starts_with(transfer.operation_key, format('purchase/%s/adjustment/', checkout.id))
    ) as moved
    where ${scope.checkout('checkout.id')} and checkout.taken_back_credits <> -moved.credits`,
  check`
    select format('checkout %s took %s credits back and is owed %s, but its payment requires %s',
      claim.id, claim.taken_back_credits, claim.owed_credits, claim.required) as summary
    from (
      select *, case
        when purchase_transfer_id is null then 0
        when disputed then credits
        else (credits::bigint * refunded_usd_cents + price_usd_cents - 1) / price_usd_cents
      end as required
      from checkouts
    ) as claim
    where ${scope.checkout('claim.id')} and claim.taken_back_credits + claim.owed_credits <> claim.required`,
  check`
    select format('account %s has %s purchased credits, but owes %s that were not collected from them',
      pool.account_id, pool.balance_credits, owing.owed) as summary
    from (
      select account_id, sum(owed_credits) as owed from checkouts where owed_credits > 0 group by account_id
    ) as owing
    join ledger_accounts as pool on pool.account_id = owing.account_id and pool.name = 'purchased'
    where pool.balance_credits > 0`,
];

/** Cases that need a person. */
export const paymentNotices = [
  check`
    select format('usage %s of account %s is held: send it (usage send), or look it up at Stripe and settle or void it',
      id, account_id) as summary
    from usage_outbox where state = 'held' order by occurred_at`,
  check`
    select format('usage %s of account %s was voided, but Stripe did not cancel it within a day: '
      'if it is on a bill, credit it there by hand, then run usage settle', id, account_id) as summary
    from usage_outbox where cancellation = 'expired' order by occurred_at`,
  check`
    select format('usage %s of account %s occurred after the end of subscription %s, so no invoice of Stripe has it: '
      'bill it by hand, then void it', usage.id, usage.account_id, subscription.stripe_subscription_id) as summary
    from subscriptions as subscription
    join usage_outbox as usage on usage.account_id = subscription.account_id
      and usage.occurred_at >= subscription.ends_at
    where usage.state <> 'void' order by usage.occurred_at`,
  check`
    select format('account %s owes %s credits of checkout %s, which were spent before their payment was refunded',
      account_id, owed_credits, id) as summary
    from checkouts where owed_credits > 0 order by created_at`,
  check`
    select case kind
      when 'wrong_amount' then format('session %s of checkout %s was paid with %s cents in %s, which is not its price: credit or refund it, then settle it',
        stripe_session_id, checkout_reference, paid_cents, currency)
      when 'invoice_disputed' then format('payment %s of %s cents in %s by account %s is disputed (%s): its subscription pays for nothing until the dispute is won or you settle it',
        stripe_payment_intent_id, paid_cents, currency, account_id, stripe_session_id)
      when 'fraud_warning' then format('payment %s of %s cents in %s by account %s is said to be fraudulent (%s): its subscription pays for nothing until you settle it; refund the payment if it is',
        stripe_payment_intent_id, paid_cents, currency, account_id, stripe_session_id)
      else format('session %s was paid with %s cents in %s for checkout %s, which has no such session: credit or refund it, then settle it',
        stripe_session_id, paid_cents, currency, checkout_reference)
    end as summary
    from payment_findings where settled_at is null order by found_at`,
];
