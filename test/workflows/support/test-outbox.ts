import { afterEach } from '@jest/globals';
import { sql } from 'kysely';
import { voidUsage } from '../../../db/billing/usage-corrections.js';
import { complete, sell } from '../../db/support/purchases.js';
import { later, type TestWorld, useTestWorld } from '../../db/support/test-world.js';
import { usageOf } from '../../db/support/usage.js';
import { maintenanceActivities } from './maintenance-activities.js';
import { createUsageProvider } from './usage-provider.js';

/** A database and a payment provider. Each test starts with an empty outbox and a provider without faults. */
export function useOutbox() {
  const world = useTestWorld();
  const stripe = createUsageProvider();
  const { subscriber, used } = usageOf(world);
  const clock = { offsetMs: 0 };
  const startedAtMs = Date.now();
  /** Runs from noon on: rounds measure their time, and wait while Stripe throttles. */
  const now = () => later({ ms: Date.now() - startedAtMs + clock.offsetMs });
  const rows = (state: 'pending' | 'sent' | 'held' | 'void') =>
    world.db.selectFrom('usage_outbox').selectAll().where('state', '=', state).execute();
  afterEach(async () => {
    clock.offsetMs = 0;
    for (const { id } of await rows('pending')) await voidUsage(world.db, id, { reason: 'test', now: now() });
    await world.sql(`update usage_outbox set cancellation = 'done' where cancellation = 'due'`);
    stripe.reset();
  });
  return {
    world,
    stripe,
    clock,
    now,
    rows,
    stateOf: async (id: string) =>
      (await world.sql('select state from usage_outbox where id = $1', [id]))[0].state,
    /** Delivers a report to a new subscriber. @returns the id of its usage */
    delivered: async () => used(await subscriber(), now()),
    /** One round, as a worker makes it. */
    round: (payments: typeof stripe.sender | null = stripe.sender) =>
      maintenanceActivities({ db: world.db, payments, now }).sendUsage(),
    fill: (filling: Filling) => fillOutbox(world, filling),
  };
}

interface Filling {
  readonly customers: number;
  readonly reportsEach: number;
  /** When the reports were bought. */
  readonly at: Date;
}

/**
 * Delivers cached reports to many new subscribers, all of which wait in the outbox. Written in bulk, because a purchase
 * each would take minutes.
 * @returns the ids of the customers at Stripe
 */
async function fillOutbox(
  world: TestWorld,
  { customers, reportsEach, at }: Filling,
): Promise<readonly string[]> {
  const reportIds: number[] = [];
  for (let n = 0; n < reportsEach; n++) {
    const { reportId } = await sell(world);
    await complete(world.db, reportId);
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
    returning stripe_customer_id`.execute(world.db);
  return [...new Set(rows.map(row => row.stripe_customer_id))];
}
