import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { event, market } from '../../council/fixtures.js';

const usdMicrosPerFreshCredit = 10_000 / 3;

/** Sets the price of a fresh report, as if an earlier run had changed it. */
export async function setPrice(db: Db, freshCredits: number): Promise<void> {
  const id = randomUUID();
  const now = new Date();
  const rain = event([market({ name: 'Rain' })], { eventId: id });
  const estimate = Math.round(freshCredits * usdMicrosPerFreshCredit);
  await sql`
    with account as (
      insert into accounts (id, issuer, subject) values (${id}::uuid, 'test', ${id}) returning id),
    event as (
      insert into events (event_id, source, title, event, read_at)
      values (${id}, 'sample', 'price', ${JSON.stringify(rain)}::json, ${now}) returning event_id),
    report as (
      insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
        created_at)
      select id, event_id, 'price', ${now.toISOString().slice(0, 10)}::date, ${id}, 'credits', true, 'pending', ${id},
        ${now}::timestamptz
      from account, event returning id)
    insert into quotes (report_id, fresh_credits, estimate_usd_micros, window_began_at, window_credits, cost_usd_micros,
      simulated, created_at)
    select id, ${freshCredits}::integer, ${estimate}::bigint, ${now}::timestamptz, ${freshCredits}::integer, 0, true,
      ${now}::timestamptz
    from report`.execute(db);
}
