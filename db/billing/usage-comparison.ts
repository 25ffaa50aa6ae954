import { sql } from 'kysely';
import { usageCancelHours, usageCountedWithinHours } from '../../purchase/limits.js';
import type { Db } from '../database.js';

/**
 * What Stripe should have counted, as limits: what it must have, and what it may have in addition. Invariants:
 * - a row whose state changed in the last hours may be counted or not: Stripe counts with a delay;
 * - so may a row whose sending or cancellation is uncertain, or that an operator has settled by other means.
 */
export interface ExpectedUsage {
  /** Usage that was sent some hours ago and not voided. */
  readonly certainUsdCents: number;
  /** Usage that may be counted as well. */
  readonly possibleUsdCents: number;
}

export interface ExpectedDay extends ExpectedUsage {
  readonly accountId: string;
  readonly customerId: string;
  /** Midnight in UTC. */
  readonly day: Date;
}

interface Range {
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
  readonly now: Date;
}

/** The usage of the next customers after one, by id and day. */
export async function listExpectedUsage(
  db: Db,
  { from, to, now }: Range,
  { after, customersMax }: { readonly after: string | null; readonly customersMax: number },
): Promise<readonly ExpectedDay[]> {
  const inRange = db
    .selectFrom('usage_outbox')
    .where('occurred_at', '>=', from)
    .where('occurred_at', '<', to);
  const customers = inRange
    .select('stripe_customer_id')
    .distinct()
    .where('stripe_customer_id', '>', after ?? '')
    .orderBy('stripe_customer_id')
    .limit(customersMax);
  return inRange
    .select(['account_id as accountId', 'stripe_customer_id as customerId'])
    .select(sql<Date>`date_trunc('day', occurred_at, 'UTC')`.as('day'))
    .select(sumsAt(now))
    .where('stripe_customer_id', 'in', customers)
    .groupBy(['account_id', 'stripe_customer_id', 'day'])
    .orderBy('stripe_customer_id')
    .orderBy('day')
    .execute();
}

/** The usage of one customer in a range, without one row of it. */
export async function sumOtherUsage(
  db: Db,
  { customerId, exceptId, from, to, now }: Range & { readonly customerId: string; readonly exceptId: string },
): Promise<ExpectedUsage> {
  return db
    .selectFrom('usage_outbox')
    .select(sumsAt(now))
    .where('stripe_customer_id', '=', customerId)
    .where('occurred_at', '>=', from)
    .where('occurred_at', '<', to)
    .where('id', '<>', exceptId)
    .executeTakeFirstOrThrow();
}

function sumsAt(now: Date) {
  const hoursBefore = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const settled = hoursBefore(usageCountedWithinHours);
  // A cancellation is tried for a day, and counts some hours after that.
  const cancelled = hoursBefore(usageCountedWithinHours + usageCancelHours);
  const isCertain = sql`state = 'sent' and settle_reason is null and settled_at < ${settled}`;
  const isAbsent = sql`(state in ('pending', 'held') and first_tried_at is null)
    or (state = 'void' and (cancellation is null
      or (cancellation = 'done' and settle_reason is null and settled_at < ${cancelled})))`;
  const sumOf = (condition: typeof isCertain) =>
    sql<number>`coalesce(sum(amount_usd_cents) filter (where ${condition}), 0)::integer`;
  return [
    sumOf(isCertain).as('certainUsdCents'),
    sumOf(sql`not (${isCertain}) and not (${isAbsent})`).as('possibleUsdCents'),
  ] as const;
}
