import type { BusyBooks } from './busy-books.js';

/** A change, and the drift that it causes. */
export type Fault = (is: BusyBooks) => readonly [change: string, ...drift: (string | RegExp)[]];

const of = ({ purchaseId }: { purchaseId: string }) => `where id = '${purchaseId}'`;
const failed = `status = 'failed', failure_code = 'internal', ended_at = now()`;
const running = `status = 'pending', failure_code = null, ended_at = null`;
const newestEntryOf = (holder: string) => `id = (select max(entry.id) from ledger_entries as entry
  join ledger_accounts as holder on holder.id = entry.ledger_account_id where ${holder})`;

/** In rows that name the transaction that wrote them last. */
export const changes: Record<string, Fault> = {
  'a purchase names another price than its charge took': is => [
    `update report_purchases set credits = credits + 1 ${of(is.completed)}`,
    /is for 121 credits, but its charge took 120 and its refund returned 0/,
  ],
  'a refunded purchase names another price than was charged and refunded': is => [
    `update report_purchases set credits = 7 ${of(is.refunded)}`,
    /\(refunded\) is for 7 credits, but its charge took \d+/,
  ],
  'a purchase names another pool than its charge took from': is => [
    `update report_purchases set pool = 'weekly_grant' ${of(is.completed)}`,
    /names the pool weekly_grant, .* took from purchased/,
    /was paid by a weekly grant, but no grant is marked as used for it/,
  ],
  'a report failed but was not refunded': is => [
    `update reports set ${failed} where id = ${is.inFlight.reportId}`,
    `report ${is.inFlight.reportId} failed, but purchase ${is.inFlight.purchaseId} is still charged`,
    `report ${is.inFlight.reportId} is failed but not in the record`,
  ],
  'a refunded report is still running': is => [
    `update reports set ${running} where id = ${is.refunded.reportId}`,
    /is pending, but purchase .* of it was refunded/,
  ],
  'an unfinished report was sold as cached': is => [
    `update report_purchases set kind = 'cached' ${of(is.inFlight)}`,
    /is cached, but report \d+ is pending/,
  ],
  'a report was sold as fresh twice': is => [
    `update report_purchases set kind = 'fresh' ${of(is.cached)}`,
    `report ${is.completed.reportId} was sold as fresh 2 times`,
  ],
  'a pool of weekly grants differs from the sum of its lots': is => [
    `update weekly_grants set held_credits = held_credits - 1 where account_id = '${is.givenBack.accountId}'`,
    `the weekly grants of account ${is.givenBack.accountId} hold 119 credits, but its pool holds 120`,
  ],
  'a weekly grant is marked as used by a purchase that it did not pay for': is => [
    `update weekly_grants set used_by = '${is.completed.purchaseId}' where used_by = '${is.granted.purchaseId}'`,
    /is marked as used by purchase .*, which it did not pay for/,
    /was paid by a weekly grant, but no grant is marked as used for it/,
  ],
  'a weekly grant that paid was freed': is => [
    `update weekly_grants set used_by = null where used_by = '${is.granted.purchaseId}'`,
    /was paid by a weekly grant, but no grant is marked as used for it/,
  ],
  'a report paid in credits is also metered': is => [
    `insert into usage_outbox select id, account_id, report_id, 'fresh', 300, 'cus_1', 'pending', created_at
     from report_purchases ${of(is.completed)}`,
    /is not a delivered report of a subscription/,
  ],
  'a checkout gave another number of credits than was paid for': () => [
    'update checkouts set credits = 600',
    /was paid for 600 credits, but its transfer \d+ gave 500/,
    /its payment requires 60/,
  ],
  'a checkout records another number of credits as taken back than were': () => [
    'update checkouts set taken_back_credits = 49',
    /records 49 credits as taken back, but its adjustments took 50/,
    /took 49 credits back and is owed 0, but its payment requires 50/,
  ],
  'credits were taken back for a payment that was not refunded': () => [
    'update checkouts set refunded_usd_cents = 0',
    /took 50 credits back and is owed 0, but its payment requires 0/,
  ],
  'a cent more was refunded than credits were taken back for': () => [
    'update checkouts set refunded_usd_cents = 71',
    /took 50 credits back and is owed 0, but its payment requires 51/,
  ],
  'a part of the credits was taken back for a payment that is disputed': () => [
    'update checkouts set disputed = true',
    /took 50 credits back and is owed 0, but its payment requires 500/,
  ],
  'an account owes credits that were not collected': is => [
    'update checkouts set disputed = true, owed_credits = 450',
    `account ${is.payer} has 450 purchased credits, but owes 450 that were not collected from them`,
  ],
  'an hour has another sum than its calls cost': () => [
    'update house_spend set usd_micros = usd_micros + 7, written_by = pg_current_xact_id() where granted',
    'runs by weekly grants of the hour of 2031-03-05 12:00 UTC (simulated models) cost 400000 micro-dollars, but the ceilings count 400007',
  ],
};

/** In rows that are never changed, in columns that are not, or in rows that are gone. */
export const damages: Record<string, Fault> = {
  'a balance is not the sum of its entries': is => [
    `update ledger_accounts set balance_credits = balance_credits + 7 where account_id = '${is.buyer}'`,
    /account \d+ holds \d+, but its entries add up to \d+/,
  ],
  'a transfer does not add up to zero': () => [
    `update ledger_entries set amount_credits = amount_credits - 1
     where ${newestEntryOf(`holder.name = 'house_issued'`)}`,
    /account 1 holds -\d+, but its entries add up to -\d+/,
    /transfer \d+ has 2 legs that add up to -1/,
  ],
  'an entry records the wrong running balance': is => [
    `update ledger_entries set balance_after = balance_after + 5
     where ${newestEntryOf(`holder.account_id = '${is.buyer}'`)}`,
    /entry \d+ records a balance of \d+, but it was \d+/,
  ],
  'a customer is overdrawn': is => [
    `alter table ledger_accounts drop constraint ledger_accounts_never_overdrawn;
     update ledger_accounts set balance_credits = -3 where account_id = '${is.buyer}'`,
    /account \d+ holds -3, but its entries add up to \d+/,
    /account \d+ is overdrawn by 3/,
  ],
  'a transfer of one account moved the credits of another': is => [
    `update ledger_transfers set account_id = '${is.payer}'
     where id = (select charge_transfer_id from report_purchases ${of(is.completed)})`,
    /moved the credits of another/,
  ],
  'a refund is not the inverse of its charge': is => [
    `update ledger_entries set amount_credits = amount_credits * 2
     where transfer_id = (select refund_transfer_id from report_purchases ${of(is.refunded)})`,
    /account 2 holds \d+, but its entries add up to \d+/,
    /account \d+ holds \d+, but its entries add up to \d+/,
    /entry \d+ records a balance of 880, but it was 1000/,
    /entry \d+ records a balance of 760, but it was 880/,
    /refund \d+ is not the inverse of charge \d+/,
    /\(refunded\) is for 120 credits, but its charge took 120 and its refund returned 240/,
  ],
  'a charge belongs to no purchase': is => [
    `delete from report_purchases ${of(is.completed)}`,
    /transfer \d+ belongs to no purchase/,
  ],
  'a pool of weekly grants holds credits without a lot': is => [
    `delete from weekly_grants where account_id = '${is.givenBack.accountId}'`,
    /hold 0 credits, but its pool holds 120/,
  ],
  'a delivered fresh report of a subscription is not metered': ({ metered }) => [
    `delete from usage_outbox ${of(metered)}`,
    `report ${metered.reportId} was delivered on a subscription, but purchase ${metered.purchaseId} of it is not metered`,
  ],
  'a delivered cached report of a subscription is not metered': ({
    meteredCached: { reportId, purchaseId },
  }) => [
    `delete from usage_outbox where id = '${purchaseId}'`,
    `report ${reportId} was delivered on a subscription, but purchase ${purchaseId} of it is not metered`,
  ],
  'usage names another report than its purchase': is => [
    `update usage_outbox set report_id = ${is.granted.reportId} ${of(is.metered)}`,
    /differs from its purchase/,
  ],
  'usage names another kind than its purchase': is => [
    `update usage_outbox set kind = 'cached' ${of(is.metered)}`,
    /differs from its purchase/,
  ],
  'a checkout names a transfer that is not a purchase': is => [
    `update checkouts set purchase_transfer_id =
       (select charge_transfer_id from report_purchases ${of(is.completed)})`,
    /was paid for 500 credits, but its transfer \d+ gave 0/,
    /transfer \d+ is a purchase without a checkout/,
  ],
  'an hour has no sum': () => [
    'delete from house_spend where granted',
    'runs by weekly grants of the hour of 2031-03-05 12:00 UTC (simulated models) cost 400000 micro-dollars, but the ceilings count 0',
  ],
  'a call is missing': () => [
    'delete from provider_calls where pool is null',
    'other runs of the hour of 2031-03-05 12:00 UTC (simulated models) cost 400000 micro-dollars, but the ceilings count 800000',
  ],
};
