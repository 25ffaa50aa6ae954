import { sql } from 'kysely';
import { saveEvent } from '../../../db/reports/events.js';
import { event, market } from '../../council/fixtures.js';
import { bought, complete } from '../../db/support/purchases.js';
import type { TestService } from './test-service.js';

interface Filling {
  readonly customers: number;
  readonly reportsEach: number;
  /** When the reports were bought. */
  readonly at: Date;
}

/**
 * Delivers cached reports to many new subscribers, all of which wait in the usage outbox. Written in bulk, because a
 * purchase each would take minutes.
 * @returns the ids of the customers at Stripe
 */
export async function fillOutbox(
  service: TestService,
  { customers, reportsEach, at }: Filling,
): Promise<readonly string[]> {
  const { database } = service;
  const { accountId } = await service.newCaller(1_000_000);
  const reportIds: number[] = [];
  for (let n = 0; n < reportsEach; n++) {
    const rain = event([market({ name: 'Rain' })], { eventId: `outbox-${accountId}-${n}` });
    await saveEvent(database.db, rain, at);
    // An account begins few runs an hour.
    const now = new Date(at.getTime() - (reportsEach - n) * 3_600_000);
    const utcDay = now.toISOString().slice(0, 10);
    const { reportId } = await bought(database.db, { accountId, eventId: rain.eventId, utcDay }, { now });
    await complete(database.db, reportId, 0, now);
    reportIds.push(reportId);
  }
  const { rows } = await sql<{ stripe_customer_id: string }>`
    with account as (
      insert into accounts (id, issuer, subject)
      select gen_random_uuid(), 'outbox', gen_random_uuid()::text from generate_series(1, ${customers}::integer)
      returning id),
    customer as (
      insert into billing_customers (account_id, stripe_customer_id, created_at)
      select id, format('cus_%s', id), ${at}::timestamptz from account returning account_id, stripe_customer_id),
    purchase as (
      insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
      select gen_random_uuid(), account.id, 'charged', 'cached', report.id, 'subscription', 0, ${at}::timestamptz
      from account cross join unnest(${reportIds}::bigint[]) as report (id) returning id, account_id, report_id)
    insert into usage_outbox
      (id, account_id, report_id, kind, amount_usd_cents, stripe_customer_id, state, occurred_at, next_try_at)
    select purchase.id, account_id, report_id, 'cached', 150, stripe_customer_id, 'pending',
      ${at}::timestamptz, ${at}::timestamptz
    from purchase join customer using (account_id)
    returning stripe_customer_id`.execute(database.db);
  return [...new Set(rows.map(row => row.stripe_customer_id))];
}
