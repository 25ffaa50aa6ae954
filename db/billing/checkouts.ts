import type { Pack, PaidCheckout, PaymentState } from '../../council/purchase/billing.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { postTransfer } from '../ledger/ledger.js';
import { type Reversible, reversePurchase } from './reverse-purchase.js';

/**
 * Buying a pack of credits. Invariants:
 * - account, credits and price are noted before Stripe is called; nothing Stripe sends can change them;
 * - a checkout is found by the ids Stripe gave its session and payment, never by what a session says of itself;
 * - a checkout is fulfilled at most once, when its whole price was paid in dollars;
 * - refunds and disputes are a standing, noted whenever it is read, also before the fulfilment; what it takes back
 *   or gives back stands in `reverse-purchase.ts`.
 * All of it under the account's lock, so events may come twice, at once and in any order.
 */

/** Notes what is about to be sold, under an id of our own. */
export async function openCheckout(
  db: Db,
  checkout: { checkoutId: string; accountId: string; pack: Pack; now: Date },
): Promise<void> {
  await db
    .insertInto('checkouts')
    .values({
      id: checkout.checkoutId,
      account_id: checkout.accountId,
      pack_id: checkout.pack.id,
      credits: checkout.pack.credits,
      price_usd_cents: checkout.pack.priceUsdCents,
      created_at: checkout.now,
    })
    .execute();
}

/** Notes the session Stripe opened for it. Nobody is shown the way to a session that was not noted. */
export async function noteCheckoutSession(db: Db, checkoutId: string, sessionId: string): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ stripe_session_id: sessionId })
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
}

/** `unknown`: no session of ours. `wrong_amount`: less, more or other money than the price; nothing was done. */
export type Fulfilment = 'fulfilled' | 'fulfilled_before' | 'unknown' | 'wrong_amount';

/** Puts the credits of a paid checkout into the account, once. */
export async function fulfilCheckout(db: Db, paid: PaidCheckout, now: Date): Promise<Fulfilment> {
  const found = await db
    .selectFrom('checkouts')
    .select(['id', 'account_id'])
    .where('stripe_session_id', '=', paid.sessionId)
    .executeTakeFirst();
  if (found === undefined) return 'unknown';
  return db.transaction().execute(async tx => {
    await lockAccount(tx, found.account_id);
    const checkout = await readCheckout(tx, found.id);
    if (checkout.transferId !== null) return 'fulfilled_before';
    if (paid.currency !== 'usd' || paid.amountCents !== checkout.priceUsdCents) return 'wrong_amount';
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
    await reversePurchase(tx, checkout, { before: untouched, after: checkout.standing, now });
    return 'fulfilled';
  });
}

/** Whether the payment is one of ours, as far as anything was noted of it. */
export async function knowsPayment(db: Db, paymentIntentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('stripe_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes which payment belongs to a session, before that is said by its fulfilment. @returns false for no session of ours. */
export async function notePaymentOfSession(
  db: Db,
  sessionId: string,
  paymentIntentId: string,
): Promise<boolean> {
  const noted = await db
    .updateTable('checkouts')
    .set({ stripe_payment_intent_id: paymentIntentId })
    .where('stripe_session_id', '=', sessionId)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Notes what became of a payment, and takes credits back, or gives them back, accordingly. */
export async function recordPaymentState(
  db: Db,
  paymentIntentId: string,
  standing: PaymentState,
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
    const refundedUsdCents = Math.min(standing.refundedUsdCents, checkout.priceUsdCents);
    const after = { refundedUsdCents, disputed: standing.disputed };
    await tx
      .updateTable('checkouts')
      .set({ refunded_usd_cents: refundedUsdCents, disputed: standing.disputed })
      .where('id', '=', id)
      .execute();
    if (checkout.transferId !== null) {
      await reversePurchase(tx, checkout, { before: checkout.standing, after, now });
    }
  });
}

/** Credits of refunded purchases that were spent before they could be taken back. */
export async function owedCredits(db: Db, accountId: string): Promise<number> {
  const { owed } = await db
    .selectFrom('checkouts')
    .select(({ fn, eb }) => fn.coalesce(fn.sum<number>('owed_credits'), eb.val(0)).as('owed'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return owed;
}

const untouched: PaymentState = { refundedUsdCents: 0, disputed: false };

interface Checkout extends Reversible {
  readonly packId: string;
  /** Null until it is fulfilled. */
  readonly transferId: number | null;
  readonly standing: PaymentState;
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
    standing: { refundedUsdCents: row.refunded_usd_cents, disputed: row.disputed },
  };
}
