import { sql } from 'kysely';
import { webhookAttemptsListed } from '../../purchase/limits.js';
import type { DeliveryStatus, WebhookType } from '../../purchase/webhooks.js';
import type { Db } from '../database.js';
import { offsetOf, type Page, type Paging } from '../paging.js';
import type { EndpointName } from './endpoints.js';

/**
 * Deliveries as the owner of an endpoint sees and asks for them. Invariants:
 * - only the account of the endpoint reads, adds or repeats its deliveries;
 * - a repeated delivery keeps its id, by which its receiver knows it.
 */
export interface WebhookDelivery {
  readonly id: string;
  readonly type: WebhookType;
  readonly createdAt: Date;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Date | null;
  /** The last tries, oldest first. */
  readonly attempts: readonly WebhookAttempt[];
}

export interface WebhookAttempt {
  readonly at: Date;
  /** Null if no answer came. */
  readonly statusCode: number | null;
  /** Why no answer came, as a sentence. */
  readonly error: string | null;
  /** The beginning of the answer's body. */
  readonly excerpt: string | null;
}

/**
 * Adds a delivery that says only that the endpoint works.
 * @returns its id; null if the account has no such endpoint, or it is disabled
 */
export async function insertTest(db: Db, { accountId, id }: EndpointName, now: Date): Promise<string | null> {
  const data = JSON.stringify({ webhook_id: id });
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (endpoint_id, type, data, created_at, next_attempt_at)
    select id, 'webhook.test', ${data}::json, ${now}::timestamptz, ${now}::timestamptz
    from webhook_endpoints where id = ${id} and account_id = ${accountId} and status = 'active'
    for key share
    returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * Has a delivery sent again at once, whatever became of it. Locks the endpoint before the delivery, as its deletion does.
 * @returns false if the account has no such active endpoint with this delivery
 */
export async function redeliver(
  db: Db,
  { accountId, id }: EndpointName,
  deliveryId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with endpoint as (
      select id from webhook_endpoints
      where id = ${id} and account_id = ${accountId} and status = 'active' for key share)
    update webhook_deliveries as delivery
    set status = 'pending', ended_at = null, handed_over_at = null, next_attempt_at = ${now}
    from endpoint where delivery.endpoint_id = endpoint.id and delivery.id = ${deliveryId}
    returning delivery.id`.execute(db);
  return rows.length > 0;
}

/** The deliveries to an endpoint, newest first. @param endpointId of the account that asks */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  paging: Paging,
): Promise<Page<WebhookDelivery>> {
  const ofEndpoint = db.selectFrom('webhook_deliveries').where('endpoint_id', '=', endpointId);
  const { total } = await ofEndpoint
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const found = await ofEndpoint
    .select(['id', 'type', 'created_at as createdAt', 'status', 'next_attempt_at as nextAttemptAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute();
  const attempts = await lastAttempts(
    db,
    found.map(({ id }) => id),
  );
  return {
    rows: found.map(delivery => ({
      ...delivery,
      attempts: attempts.get(delivery.id) ?? [],
    })),
    total,
  };
}

/** By the id of their delivery. */
async function lastAttempts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, WebhookAttempt[]>> {
  const { rows } = await sql<WebhookAttempt & { readonly deliveryId: string }>`
    select attempt.delivery_id as "deliveryId", attempt.at, attempt.status_code as "statusCode", attempt.error,
      attempt.excerpt
    from unnest(${[...ids]}::uuid[]) as delivery (id)
    cross join lateral (
      select * from webhook_attempts where delivery_id = delivery.id
      order by number desc limit ${webhookAttemptsListed}) as attempt
    order by attempt.delivery_id, attempt.number`.execute(db);
  const attempts = new Map<string, WebhookAttempt[]>();
  for (const { deliveryId, ...attempt } of rows)
    attempts.set(deliveryId, [...(attempts.get(deliveryId) ?? []), attempt]);
  return attempts;
}
