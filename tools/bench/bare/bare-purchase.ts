import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { weekOf } from '../../../council/calendar.js';

interface BareRequest {
  readonly id: string;
  readonly account_id: string;
  readonly eventId: string;
}

/** Sells an existing report with the same SQL statements as the service, but without any of its checks. */
export async function barePurchase(pool: pg.Pool, gammaUrl: string, request: BareRequest): Promise<object> {
  const { account_id: account, eventId } = request;
  const now = new Date();
  const day = now.toISOString().slice(0, 10);
  const purchase = randomUUID();
  await pool.query(subscriptionSql, [account, now]);
  await pool.query(ownedSql, [account, eventId, day]);
  const market = await fetch(`${gammaUrl}/events/${eventId}`);
  await market.json();
  const situation = [account, eventId, day, new Date(now.getTime() - 3_600_000), weekOf(now), now];
  await pool.query(situationSql, situation);
  const receipt = await inTransaction(pool, async client => {
    await client.query(lockSql, [account]);
    const { rows } = await client.query(purchaseSituationSql, [...situation, purchase]);
    const [{ shared, quote }] = rows;
    const credits = Math.ceil(quote.fresh_credits / 2);
    return charge(client, { ...request, purchase, reportId: shared, credits, now });
  });
  await pool.query(runsSql, [account, new Date(now.getTime() - 3_600_000)]);
  return receipt;
}

interface BareCharge extends BareRequest {
  readonly purchase: string;
  readonly reportId: string;
  readonly credits: number;
  readonly now: Date;
}

async function charge(client: pg.PoolClient, request: BareCharge): Promise<object> {
  const { id: key, account_id: account, purchase, reportId, credits, now } = request;
  const { rows: transfers } = await client.query(transferSql, [
    `charge/${purchase}`,
    account,
    reportId,
    key,
    now,
  ]);
  const [{ id: transfer, pool, house }] = transfers;
  await client.query(legsSql, [transfer, pool, -credits, house, credits]);
  await client.query(purchaseSql, [purchase, account, key, reportId, credits, now, transfer]);
  return { report_id: reportId, status: 'completed', credits_spent: credits };
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const subscriptionSql = `
  select stripe_subscription_id, stripe_customer_id, status, period_start, period_end, cancel_at_period_end
  from subscriptions inner join billing_customers on billing_customers.account_id = subscriptions.account_id
  where subscriptions.account_id = $1 and status in ('active', 'trialing') and period_end > $2`;
const lockSql = 'select id from accounts where id = $1 for update';
const ownedSql = `
  select report.id, report.status, purchase.lane, purchase.pool
  from report_purchases as purchase inner join reports as report on report.id = purchase.report_id
  where purchase.account_id = $1 and purchase.state = 'charged' and report.event_id = $2 and report.utc_day = $3
    and not report.simulated and report.status <> 'failed'
  order by report.id`;
const situationSql = `select
  (select to_json(own) from (${ownedSql} limit 1) as own) as owned,
  (select id from reports
    where event_id = $2 and utc_day = $3 and not simulated and status = 'completed' order by id limit 1) as shared,
  (select coalesce(json_agg(run), '[]') from (
    select created_at from report_purchases
    where account_id = $1 and kind = 'fresh' and state = 'charged' and created_at > $4
    order by created_at desc limit 5) as run) as runs,
  (select to_json(newest) from (
    select fresh_credits, estimate_usd_micros from quotes where not simulated order by id desc limit 1) as newest) as quote,
  (select coalesce(json_agg(lot), '[]') from (
    select week, used_by is not null as is_used, usable_until > $6 as is_in_time, held_credits from weekly_grants
    where account_id = $1 and (usable_until > $6 or week = $5) order by week) as lot) as lots,
  (select balance_credits from ledger_accounts where account_id = $1 and name = 'purchased') as balance`;
const purchaseSituationSql = `${situationSql},
  (select to_json(made) from (
    select state, kind, report_id, credits, lane, pool from report_purchases where id = $7) as made) as receipt`;
const transferSql = `
  insert into ledger_transfers (operation_key, kind, account_id, report_id, api_key_id, reason, created_at)
  values ($1, 'charge', $2, $3, $4, 'cached report', $5)
  returning id, (select id from ledger_accounts where account_id = $2 and name = 'purchased') as pool,
    (select id from ledger_accounts where account_id is null and name = 'house_earned') as house`;
const legsSql =
  'insert into ledger_entries (transfer_id, ledger_account_id, amount_credits) values ($1, $2, $3), ($1, $4, $5)';
const purchaseSql = `
  insert into report_purchases (id, account_id, api_key_id, state, kind, report_id, lane, credits, created_at, pool,
    charge_transfer_id)
  values ($1, $2, $3, 'charged', 'cached', $4, 'credits', $5, $6, 'purchased', $7)`;
const runsSql = `select created_at from report_purchases
  where account_id = $1 and kind = 'fresh' and state = 'charged' and created_at > $2
  order by created_at desc limit 5`;
