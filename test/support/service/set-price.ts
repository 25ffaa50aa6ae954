import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/database.js';

const usdMicrosPerFreshCredit = 10_000 / 3;

/** Sets the price of a fresh report, as if an earlier run had changed it. */
export async function setPrice(db: Db, freshCredits: number): Promise<void> {
  const now = new Date();
  const id = randomUUID();
  const event = { eventId: `price-${id}` };
  await db.insertInto('accounts').values({ id, issuer: 'test', subject: id, email: null }).execute();
  await db
    .insertInto('events')
    .values({
      event_id: event.eventId,
      source: 'sample',
      title: 'price',
      event: JSON.stringify(event),
      read_at: now,
    })
    .execute();
  const report = await db
    .insertInto('reports')
    .values({
      account_id: id,
      event_id: event.eventId,
      event_title: 'price',
      utc_day: now.toISOString().slice(0, 10),
      workflow_id: id,
      lane: 'credits',
      simulated: true,
      status: 'pending',
      seed: id,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('quotes')
    .values({
      report_id: report.id,
      fresh_credits: freshCredits,
      estimate_usd_micros: Math.round(freshCredits * usdMicrosPerFreshCredit),
      window_began_at: now,
      window_credits: freshCredits,
      cost_usd_micros: 0,
      simulated: true,
      created_at: now,
    })
    .execute();
}
