import { sql } from 'kysely';
import type { AfterTry, TriedDelivery, WebhookDisabledReason, WebhookType } from '../../purchase/webhooks.js';
import type { Db, Tx } from '../database.js';
import { findRecordEntry } from '../track-record/record.js';

/**
 * The tries of a delivery. Invariants:
 * - the database says when the next try is due; the workflow only waits until then, and is woken when it changes;
 * - the body is fixed by the first try, and the same bytes are sent by all others;
 * - a try is stored with what follows from it, in one transaction; a delivery that was delivered stays so;
 * - an endpoint that is disabled gets nothing: its deliveries end as failed, and say so;
 * - locks are taken in the order endpoint, delivery, so that deleting an endpoint deadlocks with nothing.
 */
export interface DueTry {
  readonly kind: 'due';
  readonly endpointId: string;
  readonly url: string;
  readonly body: string;
  /** Compared when the try is stored: a request for another try meanwhile sets another time. */
  readonly dueAt: Date;
}

/** `ended`: nothing is left to do, or there is no such delivery any more. */
export type OpenedTry = DueTry | { readonly kind: 'later'; readonly at: Date } | { readonly kind: 'ended' };

/** What a worker has to know before it tries a delivery. Fixes the body. */
export async function openTry(db: Db, deliveryId: string, now: Date): Promise<OpenedTry> {
  const found = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .select(['delivery.type', 'delivery.data', 'delivery.body', 'delivery.status'])
    .select(['delivery.created_at as createdAt', 'delivery.next_attempt_at as nextAttemptAt'])
    .select(['endpoint.id as endpointId', 'endpoint.url', 'endpoint.status as endpointStatus'])
    .select(
      sql<
        number | null
      >`case when delivery.type like 'report.%' then (delivery.data ->> 'report_id')::bigint end`.as(
        'reportId',
      ),
    )
    .where('delivery.id', '=', deliveryId)
    .executeTakeFirst();
  if (found === undefined || found.status !== 'pending') return { kind: 'ended' };
  if (found.endpointStatus === 'disabled') {
    await endUnsent(db, deliveryId, now);
    return { kind: 'ended' };
  }
  const dueAt = found.nextAttemptAt ?? found.createdAt;
  if (dueAt > now) return { kind: 'later', at: dueAt };
  const body = found.body ?? (await fixBody(db, deliveryId, found));
  return { kind: 'due', endpointId: found.endpointId, url: found.url, body, dueAt };
}

/** A delivery that waits for a place at its endpoint is not overdue. One that was asked for again stays in the outbox. */
export async function noteBusy(db: Db, deliveryId: string, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ handed_over_at: now })
    .where('id', '=', deliveryId)
    .where('status', '=', 'pending')
    .where('handed_over_at', 'is not', null)
    .execute();
}

/** What the body of a delivery is made of. */
interface BodyParts {
  readonly type: WebhookType;
  readonly data: object;
  /** Null unless it is about a report. */
  readonly reportId: number | null;
  readonly createdAt: Date;
}

/** @returns the body that the first of several tries at once has fixed */
async function fixBody(
  db: Db,
  deliveryId: string,
  { type, data, reportId, createdAt }: BodyParts,
): Promise<string> {
  const whole = reportId === null ? data : { ...data, record: await endOfReport(db, reportId) };
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data: whole });
  const { body: fixed } = await db
    .updateTable('webhook_deliveries')
    .set({ body: sql<string>`coalesce(body, ${body})` })
    .where('id', '=', deliveryId)
    .returning('body')
    .executeTakeFirstOrThrow();
  return fixed ?? body;
}

/** The entry of a report's end in the public record; null while it is not sealed. */
async function endOfReport(db: Db, reportId: number) {
  const entry = await findRecordEntry(db, reportId);
  return entry === null || entry.kind === 'sold' ? null : { seq: entry.seq, hash: entry.hash };
}

/** What a try got, as it is stored for the owner of the endpoint. */
export interface StoredTry extends Pick<TriedDelivery, 'statusCode' | 'retryAfterSeconds'> {
  /** A sentence; null if an answer came. */
  readonly error: string | null;
  /** The beginning of the answer; null if none came. */
  readonly excerpt: string | null;
  readonly now: Date;
}

export interface TryEnd {
  readonly after: AfterTry;
  /** When the next try is due; null if there is none. */
  readonly nextAt: Date | null;
  /** Why this try has disabled the endpoint, and whose it is; null if it has not. */
  readonly disabled: { readonly reason: WebhookDisabledReason; readonly accountId: string } | null;
}

/**
 * Stores a try and what follows from it. Null if the endpoint was deleted meanwhile.
 * @param dueAt as the try was opened: a time that was set since then, by a request for another try, stays
 * @param decide what follows from a try of this number
 */
export async function recordTry(
  db: Db,
  { deliveryId, endpointId, dueAt }: Pick<DueTry, 'endpointId' | 'dueAt'> & { readonly deliveryId: string },
  tried: StoredTry,
  decide: (tried: TriedDelivery) => AfterTry,
): Promise<TryEnd | null> {
  return db.transaction().execute(async tx => {
    const endpoint = await lockEndpoint(tx, endpointId);
    const delivery = await lockDelivery(tx, deliveryId);
    if (endpoint === undefined || delivery === undefined) return null;
    const number = await storeAttempt(tx, deliveryId, tried);
    const after = decide({ ...tried, number });
    if (after.kind === 'delivered') await noteDelivered(tx, endpointId, tried.now);
    if (after.kind !== 'again') {
      if (delivery.status !== 'delivered') await endDelivery(tx, deliveryId, after.kind, tried.now);
      const reason = after.kind === 'failed' ? await disable(tx, endpointId, after.disables) : null;
      return { after, nextAt: null, disabled: reason === null ? null : { reason, ...endpoint } };
    }
    if (delivery.status !== 'pending') return { after, nextAt: null, disabled: null };
    const isAskedFor = delivery.nextAttemptAt !== null && delivery.nextAttemptAt > dueAt;
    const nextAt = isAskedFor
      ? delivery.nextAttemptAt
      : new Date(tried.now.getTime() + after.afterSeconds * 1_000);
    await tx
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: nextAt })
      .where('id', '=', deliveryId)
      .execute();
    return { after, nextAt, disabled: null };
  });
}

function lockEndpoint(tx: Tx, endpointId: string) {
  return tx
    .selectFrom('webhook_endpoints')
    .select('account_id as accountId')
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function lockDelivery(tx: Tx, deliveryId: string) {
  return tx
    .selectFrom('webhook_deliveries')
    .select(['status', 'next_attempt_at as nextAttemptAt'])
    .where('id', '=', deliveryId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** @returns its number, from 1 */
async function storeAttempt(
  tx: Tx,
  deliveryId: string,
  { statusCode, error, excerpt, now }: Pick<StoredTry, 'statusCode' | 'error' | 'excerpt' | 'now'>,
): Promise<number> {
  const { number } = await tx
    .insertInto('webhook_attempts')
    .values(eb => ({
      delivery_id: deliveryId,
      number: eb
        .selectFrom('webhook_attempts')
        .select(sql<number>`${eb.fn.countAll()}::int + 1`.as('number'))
        .where('delivery_id', '=', deliveryId),
      at: now,
      status_code: statusCode,
      error,
      excerpt,
    }))
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

async function noteDelivered(tx: Tx, endpointId: string, now: Date): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ last_delivery_at: now })
    .where('id', '=', endpointId)
    .execute();
}

async function endDelivery(
  tx: Tx,
  deliveryId: string,
  status: 'delivered' | 'failed',
  now: Date,
): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status, ended_at: now, next_attempt_at: null })
    .where('id', '=', deliveryId)
    .execute();
}

/** @returns the reason; null if there is none, or the endpoint was disabled before */
async function disable(
  tx: Tx,
  endpointId: string,
  reason: WebhookDisabledReason | null,
): Promise<WebhookDisabledReason | null> {
  if (reason === null) return null;
  const disabled = await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_reason: reason })
    .where('id', '=', endpointId)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst();
  return disabled === undefined ? null : reason;
}

/** Its owner reads among the tries why nothing was sent. */
async function endUnsent(db: Db, deliveryId: string, now: Date): Promise<void> {
  await db.transaction().execute(async tx => {
    const delivery = await lockDelivery(tx, deliveryId);
    if (delivery?.status !== 'pending') return;
    const error = 'Nothing was sent, because the endpoint is disabled.';
    await storeAttempt(tx, deliveryId, { statusCode: null, error, excerpt: null, now });
    await endDelivery(tx, deliveryId, 'failed', now);
  });
}
