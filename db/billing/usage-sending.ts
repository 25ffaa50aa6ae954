import { sql } from 'kysely';
import type { Db } from '../database.js';

/**
 * Sending the usage outbox. Invariants:
 * - a row is marked before each try, so no try is forgotten: while `first_tried_at` is set, Stripe may have the event;
 * - a refusal is certain knowledge: when every try of a row was refused, Stripe does not have the event;
 * - a row that failed waits behind the others, so it starves nobody.
 */

export interface PendingUsage {
  readonly id: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amountUsdCents: number;
  readonly occurredAt: Date;
  /** Since when Stripe may have the event. Null if it cannot have it. */
  readonly firstTriedAt: Date | null;
  /** How often Stripe has refused it. */
  readonly failures: number;
}

export interface UsagePage {
  readonly customersMax: number;
  readonly rowsPerCustomerMax: number;
}

/** Usage to be sent now: the customers that have waited longest first, and each customer's usage in order. */
export async function listDueUsage(db: Db, now: Date, page: UsagePage): Promise<readonly PendingUsage[]> {
  return dueUsageQuery(db, now, page).execute();
}

/** Names the state with `sql.lit`, because the partial index is declared on that literal. */
function dueUsageQuery(db: Db, now: Date, { customersMax, rowsPerCustomerMax }: UsagePage) {
  return db
    .with('customer', qb =>
      qb
        .selectFrom('usage_outbox')
        .select(['stripe_customer_id as id'])
        .select(eb => eb.fn.min('next_try_at').as('since'))
        .where('state', '=', sql.lit('pending'))
        .where('next_try_at', '<=', now)
        .groupBy('stripe_customer_id')
        .orderBy('since')
        .limit(customersMax),
    )
    .selectFrom('customer')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('usage_outbox')
          .select([
            'id',
            'account_id as accountId',
            'stripe_customer_id as customerId',
            'amount_usd_cents as amountUsdCents',
            'occurred_at as occurredAt',
            'first_tried_at as firstTriedAt',
            'failures',
            'next_try_at',
          ])
          .where('state', '=', sql.lit('pending'))
          .where('next_try_at', '<=', now)
          .whereRef('stripe_customer_id', '=', 'customer.id')
          .orderBy('next_try_at')
          .orderBy('id')
          .limit(rowsPerCustomerMax)
          .as('usage'),
      join => join.onTrue(),
    )
    .select([
      'usage.id',
      'usage.accountId',
      'usage.customerId',
      'usage.amountUsdCents',
      'usage.occurredAt',
      'usage.firstTriedAt',
      'usage.failures',
    ])
    .orderBy('customer.since')
    .orderBy('usage.next_try_at')
    .orderBy('usage.id');
}

/**
 * Records, before Stripe is called, that Stripe may have the event from now on. The first attempt counts,
 * because Stripe recognises a duplicate event for one day only.
 * @returns false if the usage is no longer pending and must not be sent.
 */
export async function markUsageTried(db: Db, id: string, now: Date): Promise<boolean> {
  const updated = await db
    .updateTable('usage_outbox')
    .set(eb => ({
      first_tried_at: eb.fn.coalesce('first_tried_at', eb.val(now)),
      // A row that was tried without being counted has at least one uncertain try.
      uncertain_tries: sql<number>`case when first_tried_at is null then 1 else greatest(uncertain_tries, 1) + 1 end`,
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/**
 * Records that Stripe has the event. Held usage is settled as well: a slow sender may succeed after another one gave
 * up.
 * @returns false if the usage was voided, so that it must be cancelled at Stripe.
 */
export async function settleSentUsage(db: Db, id: string, now: Date): Promise<boolean> {
  const settled = await db
    .updateTable('usage_outbox')
    .set({ state: 'sent', settled_at: now, failures: 0 })
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'held'])
    .returning('id')
    .executeTakeFirst();
  if (settled !== undefined) return true;
  const voided = await db
    .selectFrom('usage_outbox')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'void')
    .executeTakeFirst();
  return voided === undefined;
}

/** @returns false if the usage was no longer pending. */
export async function holdUsage(db: Db, id: string, now: Date): Promise<boolean> {
  const held = await db
    .updateTable('usage_outbox')
    .set({ state: 'held', settled_at: now })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return held !== undefined;
}

export interface FailedTry {
  readonly nextTryAt: Date;
  readonly failures: number;
  /** Stripe has answered that it did not accept the event. Otherwise it may have it. */
  readonly refused: boolean;
}

/** Moves the usage behind the others. Does nothing if it was voided in the meantime. */
export async function deferUsage(
  db: Db,
  id: string,
  { nextTryAt, failures, refused }: FailedTry,
): Promise<void> {
  await db
    .updateTable('usage_outbox')
    .set({ next_try_at: nextTryAt, failures, ...(refused ? withoutOneTry : {}) })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** Stripe answered that this try was not accepted. After the last uncertain try, Stripe cannot have the event. */
const withoutOneTry = {
  uncertain_tries: sql<number>`greatest(uncertain_tries - 1, 0)`,
  first_tried_at: sql<Date | null>`case when uncertain_tries <= 1 then null else first_tried_at end`,
};
