import type { PaidCheckout, PaymentAlert } from '../../purchase/billing.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import type { DB } from '../schema/tables.js';

/**
 * Payments that need a person: for packs that were not credited, and those that a bank disputes or calls fraudulent.
 * Invariants:
 * - one finding a session, dispute or warning (`stripe_session_id` holds the id of any): a repeated event adds none;
 * - a finding never changes, except that it is settled once, with a reason: by an operator, or when a dispute is won; it
 *   is never deleted;
 * - an open finding about an account (an alert) keeps its subscription from paying; alerts are opened under the
 *   account lock, so no sale is decided beside one.
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

/** An alert about the payment of an account that was not recorded before. */
export interface OpenedAlert extends PaymentAlert {
  readonly accountId: string;
}

/** Records what banks say against a payment, and settles what they have dropped. Nothing if no account has paid it. */
export async function recordAlerts(
  db: Db,
  {
    alerts,
    ...payment
  }: { paymentIntentId: string; customerId: string | null; alerts: readonly PaymentAlert[] },
  now: Date,
): Promise<readonly OpenedAlert[]> {
  if (alerts.length === 0) return [];
  const accountId = await findPayer(db, payment);
  // The same Stripe account can receive payments that have nothing to do with this service.
  if (accountId === null) return [];
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const opened: OpenedAlert[] = [];
    for (const alert of alerts) {
      if (!alert.isOpen) await settle(tx, alert.id, { reason: 'closed at Stripe without a loss', now });
      else if (await openAlert(tx, { ...alert, ...payment, accountId }, now))
        opened.push({ ...alert, accountId });
    }
    return opened;
  });
}

/** The account that bought a pack with the payment, or whose customer made it. */
async function findPayer(
  db: Db,
  { paymentIntentId, customerId }: { paymentIntentId: string; customerId: string | null },
): Promise<string | null> {
  const row = await db
    .selectFrom('checkouts')
    .select('account_id as accountId')
    .where('stripe_payment_intent_id', '=', paymentIntentId)
    .unionAll(
      db
        .selectFrom('billing_customers')
        .select('account_id as accountId')
        .where('stripe_customer_id', '=', customerId),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.accountId ?? null;
}

/** @returns false if it was recorded before, also if it is settled by now */
async function openAlert(
  tx: Tx,
  alert: OpenedAlert & { readonly paymentIntentId: string },
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('payment_findings')
    .values({
      stripe_session_id: alert.id,
      kind: alert.kind,
      account_id: alert.accountId,
      stripe_payment_intent_id: alert.paymentIntentId,
      paid_cents: alert.cents,
      currency: alert.currency,
      found_at: now,
    })
    .onConflict(conflict => conflict.column('stripe_session_id').doNothing())
    .returning('stripe_session_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Whether a payment of the account is disputed or called fraudulent, and nobody has settled that. */
export function openAlertQuery(db: Db | Tx, accountId: string) {
  return db
    .selectFrom('payment_findings')
    .select('stripe_session_id')
    .where('account_id', '=', accountId)
    .where('settled_at', 'is', null);
}

export interface PaymentFinding {
  /** The id of the session, the dispute or the warning. */
  readonly id: string;
  readonly kind: FindingKind;
  /** The id of the checkout, as the session gives it; null for an alert. */
  readonly checkoutReference: string | null;
  /** Null unless it is an alert. */
  readonly accountId: string | null;
  readonly paidCents: number;
  readonly currency: string;
  readonly settledReason: string;
}

/**
 * Settles a finding. Idempotent: the first reason stays.
 * @param id of the session, the dispute or the warning
 * @returns the finding as it is now; null if there is none
 */
export async function settlePaymentFinding(
  db: Db,
  id: string,
  { reason, now }: { reason: string; now: Date },
): Promise<PaymentFinding | null> {
  await settle(db, id, { reason, now });
  const row = await db
    .selectFrom('payment_findings')
    .selectAll()
    .where('stripe_session_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id,
    kind: row.kind,
    checkoutReference: row.checkout_reference,
    accountId: row.account_id,
    paidCents: row.paid_cents,
    currency: row.currency,
    settledReason: row.settled_reason ?? reason,
  };
}

async function settle(
  db: Db | Tx,
  id: string,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  await db
    .updateTable('payment_findings')
    .set({ settled_at: now, settled_reason: reason })
    .where('stripe_session_id', '=', id)
    .where('settled_at', 'is', null)
    .execute();
}
