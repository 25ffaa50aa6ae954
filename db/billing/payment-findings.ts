import type { PaidCheckout } from '../../council/purchase/billing.js';
import type { Db, Tx } from '../database.js';
import type { DB } from '../schema/tables.js';

/**
 * Payments for packs that were not credited and need a person. Invariants:
 * - one finding a session: a repeated event adds none;
 * - a finding never changes, except that an operator settles it once, with a reason; it is never deleted.
 */

type FindingKind = DB['payment_findings']['kind'];

/** Records that a paid session of this service was not credited, unless it is recorded already. */
export async function recordPaymentFinding(
  db: Db | Tx,
  kind: FindingKind,
  paid: PaidCheckout & { readonly checkoutReference: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('payment_findings')
    .values({
      stripe_session_id: paid.sessionId,
      kind,
      checkout_reference: paid.checkoutReference,
      stripe_payment_intent_id: paid.paymentIntentId,
      paid_cents: paid.amountCents,
      currency: paid.currency,
      found_at: now,
    })
    .onConflict(conflict => conflict.column('stripe_session_id').doNothing())
    .execute();
}

export interface PaymentFinding {
  readonly sessionId: string;
  readonly kind: FindingKind;
  /** The id of the checkout, as the session gives it. */
  readonly checkoutReference: string;
  readonly paidCents: number;
  readonly currency: string;
  readonly settledReason: string;
}

/**
 * Settles a finding. Idempotent: the first reason stays.
 * @returns the finding as it is now; null if there is none for the session
 */
export async function settlePaymentFinding(
  db: Db,
  sessionId: string,
  { reason, now }: { reason: string; now: Date },
): Promise<PaymentFinding | null> {
  await db
    .updateTable('payment_findings')
    .set({ settled_at: now, settled_reason: reason })
    .where('stripe_session_id', '=', sessionId)
    .where('settled_at', 'is', null)
    .execute();
  const row = await db
    .selectFrom('payment_findings')
    .selectAll()
    .where('stripe_session_id', '=', sessionId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    sessionId,
    kind: row.kind,
    checkoutReference: row.checkout_reference,
    paidCents: row.paid_cents,
    currency: row.currency,
    settledReason: row.settled_reason ?? reason,
  };
}
