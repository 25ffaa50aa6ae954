import { sql } from 'kysely';
import { checkoutAskedAfterMinutes } from '../../purchase/limits.js';
import type { Db, Tx } from '../database.js';

/**
 * Checkouts that are followed at Stripe, in case their webhook never arrives. Invariants:
 * - a checkout is open from the moment its session is stored until it is fulfilled or closed;
 * - a checkout without a stored session is not followed: nobody was sent to its payment page, so it cannot be
 *   paid, and its session expires at Stripe;
 * - closing only ends the questions: a payment that is reported later is fulfilled all the same.
 */

export interface OpenCheckout {
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: Date;
}

/** A checkout is asked about again when this share of its age has passed since the last time. */
const askedAgainAfterShare = 1 / 12;

/**
 * The open checkouts to ask about now: never asked ones first, then those asked longest ago. The older a
 * checkout is, the less often it is asked about, so one that nobody pays takes about fifty questions.
 */
export function listOpenCheckouts(db: Db, now: Date, limit: number): Promise<readonly OpenCheckout[]> {
  return db
    .selectFrom('checkouts')
    .select(['id', 'stripe_session_id as sessionId', 'created_at as createdAt'])
    .where('purchase_transfer_id', 'is', null)
    .where('closed_at', 'is', null)
    .where('stripe_session_id', 'is not', null)
    .where('created_at', '<=', new Date(now.getTime() - checkoutAskedAfterMinutes * 60_000))
    .where(eb =>
      eb.or([
        eb('asked_at', 'is', null),
        sql<boolean>`asked_at <= ${now}::timestamptz - (${now}::timestamptz - created_at) * ${askedAgainAfterShare}::float`,
      ]),
    )
    .orderBy('asked_at', order => order.asc().nullsFirst())
    .orderBy('created_at')
    .limit(limit)
    .$narrowType<{ sessionId: string }>()
    .execute();
}

/** The caller marks it before it asks Stripe, so a checkout that fails does not come first in every round. */
export async function markCheckoutAsked(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('checkouts').set({ asked_at: now }).where('id', '=', id).execute();
}

/** Ends the questions about a checkout that was not fulfilled. */
export async function closeCheckout(db: Db | Tx, id: string, now: Date): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ closed_at: now })
    .where('id', '=', id)
    .where('purchase_transfer_id', 'is', null)
    .where('closed_at', 'is', null)
    .execute();
}
