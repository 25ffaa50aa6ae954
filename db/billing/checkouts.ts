import type { Pack, PaidCheckout, PaymentState } from '../../purchase/billing.js';
import { isSuspended, lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { postTransfer } from '../ledger/ledger.js';
import { closeCheckout } from './open-checkouts.js';
import { recordPaymentFinding } from './payment-findings.js';
import { type Reversible, reversePurchase } from './reverse-purchase.js';

/**
 * Checkouts: buying a pack of credits. Invariants:
 * - account, credits and price are stored before Stripe is called, and nothing Stripe sends changes them;
 * - a checkout is found by the session and payment ids that Stripe assigned, never by the metadata of a
 *   session, which only says whether a payment that matches no checkout concerns this service;
 * - a checkout is fulfilled at most once, when its full price was paid in US dollars;
 * - refunds and disputes are a payment state, stored whenever it is read, also before fulfilment;
 *   `reverse-purchase.ts` moves the credits.
 * Money moves under the account lock, so events may arrive twice, concurrently and in any order.
 */

/** Stores what is about to be sold, under an id of this service. A suspended account opens no checkout. */
export async function openCheckout(
  db: Db,
  { checkoutId, accountId, pack, now }: { checkoutId: string; accountId: string; pack: Pack; now: Date },
): Promise<'opened' | 'suspended'> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    if (await isSuspended(tx, accountId)) return 'suspended';
    await tx
      .insertInto('checkouts')
      .values({
        id: checkoutId,
        account_id: accountId,
        pack_id: pack.id,
        credits: pack.credits,
        price_usd_cents: pack.priceUsdCents,
        created_at: now,
      })
      .execute();
    return 'opened';
  });
}

/** Stores the Stripe session of a checkout. A customer is sent to the session only after this. */
export async function saveCheckoutSession(db: Db, checkoutId: string, sessionId: string): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ stripe_session_id: sessionId })
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
}

/**
 * `wrong_amount`: amount or currency differ from the price. `unknown_session`: the session names a checkout of
 * this service, but none has it, as after a restore. Both credit nothing and are stored as a finding for an
 * operator. `foreign`: a payment of another program that uses the same Stripe account.
 */
export type Fulfilment = 'fulfilled' | 'fulfilled_before' | 'wrong_amount' | 'unknown_session' | 'foreign';

/** Adds the credits of a paid checkout to the account, once. */
export async function fulfilCheckout(db: Db, paid: PaidCheckout, now: Date): Promise<Fulfilment> {
  const found = await db
    .selectFrom('checkouts')
    .select(['id', 'account_id'])
    .where('stripe_session_id', '=', paid.sessionId)
    .executeTakeFirst();
  if (found === undefined) return recordUnknownSession(db, paid, now);
  return db.transaction().execute(async tx => {
    await lockAccount(tx, found.account_id);
    const checkout = await readCheckout(tx, found.id);
    if (checkout.transferId !== null) return 'fulfilled_before';
    if (paid.currency !== 'usd' || paid.amountCents !== checkout.priceUsdCents) {
      await recordPaymentFinding(tx, 'wrong_amount', { ...paid, checkoutReference: checkout.id }, now);
      await closeCheckout(tx, checkout.id, now);
      return 'wrong_amount';
    }
    const transferId = await postTransfer(tx, {
      operationKey: `purchase/${checkout.id}`,
      kind: 'purchase',
      accountId: checkout.accountId,
      reportId: null,
      apiKeyId: null,
      pool: 'purchased',
      house: 'house_issued',
      amountCredits: checkout.credits,
      reason: `pack ${checkout.packId}`,
      now,
    });
    await tx
      .updateTable('checkouts')
      .set({
        purchase_transfer_id: transferId,
        stripe_payment_intent_id: paid.paymentIntentId,
        paid_at: now,
      })
      .where('id', '=', checkout.id)
      .execute();
    await reversePurchase(tx, checkout, checkout.state, now);
    return 'fulfilled';
  });
}

async function recordUnknownSession(
  db: Db,
  paid: PaidCheckout,
  now: Date,
): Promise<'unknown_session' | 'foreign'> {
  const { checkoutReference } = paid;
  if (checkoutReference === null) return 'foreign';
  await recordPaymentFinding(db, 'unknown_session', { ...paid, checkoutReference }, now);
  return 'unknown_session';
}

/** Whether the payment belongs to a stored checkout. */
export async function isKnownPayment(db: Db, paymentIntentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('stripe_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the payment of a session before its fulfilment does. @returns false if the session is unknown. */
export async function saveSessionPayment(
  db: Db,
  sessionId: string,
  paymentIntentId: string,
): Promise<boolean> {
  const updated = await db
    .updateTable('checkouts')
    .set({ stripe_payment_intent_id: paymentIntentId })
    .where('stripe_session_id', '=', sessionId)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Stores the state of a payment, and takes back or returns credits to match. */
export async function recordPaymentState(
  db: Db,
  paymentIntentId: string,
  state: PaymentState,
  now: Date,
): Promise<void> {
  const { id, account_id } = await db
    .selectFrom('checkouts')
    .select(['id', 'account_id'])
    .where('stripe_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async tx => {
    await lockAccount(tx, account_id);
    const checkout = await readCheckout(tx, id);
    const refundedUsdCents = Math.min(state.refundedUsdCents, checkout.priceUsdCents);
    const after = { refundedUsdCents, disputed: state.disputed };
    await tx
      .updateTable('checkouts')
      .set({ refunded_usd_cents: refundedUsdCents, disputed: state.disputed })
      .where('id', '=', id)
      .execute();
    if (checkout.transferId !== null) await reversePurchase(tx, checkout, after, now);
  });
}

interface Checkout extends Reversible {
  readonly packId: string;
  /** Null before fulfilment. */
  readonly transferId: number | null;
  readonly state: PaymentState;
}

async function readCheckout(tx: Tx, id: string): Promise<Checkout> {
  const row = await tx
    .selectFrom('checkouts')
    .select([
      'id',
      'account_id',
      'pack_id',
      'credits',
      'price_usd_cents',
      'taken_back_credits',
      'purchase_transfer_id',
      'refunded_usd_cents',
      'disputed',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    accountId: row.account_id,
    packId: row.pack_id,
    credits: row.credits,
    priceUsdCents: row.price_usd_cents,
    takenBackCredits: row.taken_back_credits,
    transferId: row.purchase_transfer_id,
    state: { refundedUsdCents: row.refunded_usd_cents, disputed: row.disputed },
  };
}
