import { sql } from 'kysely';
import { creditsRefunded, type PaymentState } from '../../purchase/billing.js';
import type { Db, Tx } from '../database.js';
import { balanceCredits, postTransfer } from '../ledger/ledger.js';

/**
 * Takes back credits whose payment was refunded or disputed. Invariants:
 * - `taken_back_credits + owed_credits` is what the payment state requires: all credits while the payment is
 *   disputed, otherwise `creditsRefunded`;
 * - a balance never goes below zero: credits that were already spent are recorded as owed;
 * - owed credits are collected from the next credits that reach the account's purchased pool, in the
 *   transaction that adds them, so an account that owes has no purchased credits;
 * - collected credits count as taken back from the payment that owed them, so a won dispute returns exactly
 *   what it cost, wherever it was collected;
 * - a state that requires the same as before moves nothing, so a duplicate event has no effect.
 * The caller holds the account lock.
 */

export interface Reversible {
  readonly id: string;
  readonly accountId: string;
  readonly credits: number;
  readonly priceUsdCents: number;
  readonly takenBackCredits: number;
}

/** Takes back or returns credits to match the state of a payment. Its purchase has been posted. */
export async function reversePurchase(
  tx: Tx,
  purchase: Reversible,
  state: PaymentState,
  now: Date,
): Promise<void> {
  const { credits } = purchase;
  const requiredCredits = state.disputed ? credits : creditsRefunded(purchase, state.refundedUsdCents);
  await takeBack(tx, { ...purchase, requiredCredits, reason: 'payment refunded or disputed' }, now);
  await collectOwedCredits(tx, purchase.accountId, now);
}

/**
 * Collects what the account owes from its purchased credits, for its oldest pack first. Every transaction that
 * adds purchased credits ends with this.
 */
export async function collectOwedCredits(tx: Tx, accountId: string, now: Date): Promise<void> {
  const owing = await owedQuery(tx, accountId)
    .select(['id', 'taken_back_credits as takenBackCredits', 'owed_credits as owedCredits'])
    .orderBy('purchase_transfer_id')
    .execute();
  for (const { owedCredits, ...checkout } of owing) {
    const requiredCredits = checkout.takenBackCredits + owedCredits;
    const reason = 'owed credits collected';
    await takeBack(tx, { ...checkout, accountId, requiredCredits, reason }, now);
  }
}

/** Credits of refunded or disputed payments that were spent before they could be taken back. */
export async function readOwedCredits(db: Db, accountId: string): Promise<number> {
  const { owedCredits } = await owedCreditsQuery(db, accountId).executeTakeFirstOrThrow();
  return owedCredits;
}

export function owedCreditsQuery(db: Db | Tx, accountId: string) {
  return owedQuery(db, accountId).select(eb =>
    eb.fn.coalesce(eb.fn.sum<number>('owed_credits'), eb.lit(0)).as('owedCredits'),
  );
}

/** The partial index is declared on the literal. */
function owedQuery(db: Db | Tx, accountId: string) {
  return db
    .selectFrom('checkouts')
    .where('account_id', '=', accountId)
    .where('owed_credits', '>', sql.lit(0));
}

interface Claim extends Pick<Reversible, 'id' | 'accountId' | 'takenBackCredits'> {
  /** What is to be taken back in all. */
  readonly requiredCredits: number;
  readonly reason: string;
}

async function takeBack(tx: Tx, claim: Claim, now: Date): Promise<void> {
  const { requiredCredits, takenBackCredits: taken } = claim;
  const balance = await balanceCredits(tx, claim.accountId, 'purchased');
  const takenBack = Math.min(requiredCredits, taken + balance);
  if (takenBack !== taken) await postAdjustment(tx, claim, taken - takenBack, now);
  await tx
    .updateTable('checkouts')
    .set({ taken_back_credits: takenBack, owed_credits: requiredCredits - takenBack })
    .where('id', '=', claim.id)
    .execute();
}

async function postAdjustment(tx: Tx, claim: Claim, amountCredits: number, now: Date): Promise<void> {
  const prefix = `purchase/${claim.id}/adjustment/`;
  const { adjustments } = await tx
    .selectFrom('ledger_transfers')
    .select(eb => eb.fn.countAll<number>().as('adjustments'))
    .where('account_id', '=', claim.accountId)
    .where('operation_key', 'like', `${prefix}%`)
    .executeTakeFirstOrThrow();
  await postTransfer(tx, {
    operationKey: prefix + String(adjustments + 1),
    kind: 'adjustment',
    accountId: claim.accountId,
    reportId: null,
    apiKeyId: null,
    pool: 'purchased',
    house: 'house_issued',
    amountCredits,
    reason: amountCredits < 0 ? claim.reason : 'payment restored',
    now,
  });
}
