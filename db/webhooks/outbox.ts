import { type RawBuilder, sql } from 'kysely';
import type { WebhookType } from '../../purchase/webhooks.js';
import type { Db, Tx } from '../database.js';

/**
 * The deliveries of webhooks as an outbox. Invariants:
 * - a delivery is inserted in the statement or transaction that stores what it tells of, one for each active endpoint that
 *   wants the type: there is neither without the other;
 * - the endpoints are those of the accounts that own what it tells of, and of nobody else;
 * - a delivery that is claimed for Temporal and not tried in time is claimed again, so no crash loses one;
 * - two workers do not claim the same delivery at once.
 */

/** News for accounts. */
export interface News {
  readonly type: WebhookType;
  /** A query of `account_id` and `data`: the accounts, and what their endpoints receive, as JSON. */
  readonly to: RawBuilder<unknown>;
  readonly now: Date;
}

/**
 * Inserts the deliveries as a part of another statement, in the parentheses that Kysely leaves out around raw SQL. An
 * account without endpoints costs a look into the index of their accounts. An endpoint that is being deleted is waited
 * for and left out, because a row that refers to it would fail the statement.
 */
export function announcing({ type, to, now }: News) {
  return sql<object>`(${insertFor({ type, to, now })})`;
}

/** The same as a statement of its own. */
export async function announce(tx: Tx, news: News): Promise<void> {
  await insertFor(news).execute(tx);
}

function insertFor({ type, to, now }: News) {
  return sql`
    insert into webhook_deliveries (endpoint_id, type, data, created_at, next_attempt_at)
    select endpoint.id, ${type}::text, news.data, ${now}::timestamptz, ${now}::timestamptz
    from (${to}) as news
    join webhook_endpoints as endpoint on endpoint.account_id = news.account_id
    where endpoint.status = 'active' and ${type}::text = any (endpoint.types)
    for key share of endpoint
    returning id`;
}

/** `data` of a report, from a relation with `report_id` and `event_id`. Its entry of the record is added by the first try. */
export function reportData(relation: string, status: 'completed' | 'failed') {
  const from = sql.ref(relation);
  return sql`json_build_object('report_id', ${from}.report_id, 'event_id', ${from}.event_id, 'status', ${status}::text)`;
}

/** A delivery that this process hands to Temporal now. */
export interface ClaimedDelivery {
  readonly id: string;
  /** It was handed over before, and its time has passed: its workflow may be lost. */
  readonly isOverdue: boolean;
}

/**
 * Claims deliveries that wait to be handed over, oldest first, and those that are overdue. A report's waits for its entry
 * in the record, which the body names, as long as `entryWaitMs`.
 */
export async function claimDeliveries(
  db: Db,
  { now, max }: { readonly now: Date; readonly max: number },
): Promise<readonly ClaimedDelivery[]> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const waiting = sql`
    status = 'pending' and handed_over_at is null and (created_at < ${before(entryWaitMs)} or not exists (
      select from unsealed_entries as entry
      where entry.report_id = (data ->> 'report_id')::bigint and entry.kind <> 'sold'))
    order by created_at`;
  const overdue = sql`
    status = 'pending' and next_attempt_at < ${before(overdueAfterMs)} and handed_over_at < ${before(overdueAfterMs)}
    order by next_attempt_at`;
  const fresh = await claim(db, waiting, { now, max });
  const late = await claim(db, overdue, { now, max });
  return [...fresh.map(id => ({ id, isOverdue: false })), ...late.map(id => ({ id, isOverdue: true }))];
}

/** The record is sealed every second. A first try that comes before its entry says `record: null` for good. */
const entryWaitMs = 3_000;

/** Longer than a try takes (15 s) with the pause after a lost worker (30 s). */
const overdueAfterMs = 120_000;

async function claim(
  db: Db,
  condition: RawBuilder<unknown>,
  { now, max }: { readonly now: Date; readonly max: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    update webhook_deliveries
    set handed_over_at = ${now}, next_attempt_at = coalesce(next_attempt_at, ${now})
    where id = any (array(
      select id from webhook_deliveries where ${condition} limit ${max} for update skip locked))
    returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Gives deliveries back that could not be handed over. */
export async function releaseDeliveries(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('webhook_deliveries')
    .set({ handed_over_at: null })
    .where('id', 'in', [...ids])
    .where('status', '=', 'pending')
    .execute();
}
