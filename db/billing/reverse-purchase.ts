import { creditsRefunded, type PaymentState } from '../../council/purchase/billing.js';
import type { Tx } from '../database.js';
import { balanceCredits, postTransfer } from '../ledger/ledger.js';

/**
 * Takes back credits whose payment was refunded or disputed. Invariants:
 * - `taken_back_credits + owed_credits` is what the payment state requires: all credits while the payment is
 *   disputed, otherwise `creditsRefunded`;
 * - a balance never goes below zero: credits that were already spent are recorded as owed. They stay owed
 *   when credits are bought later; only a new change of the same payment claims them again;
 * - a state that requires the same as before moves nothing, so a duplicate event has no effect.
 * The caller holds the account lock and has posted the purchase.
 */

export interface Reversible {
  readonly id: string;
  readonly accountId: string;
  readonly credits: number;
  readonly priceUsdCents: number;
  readonly takenBackCredits: number;
}

/** Moves the credits by which two states of the payment differ. */
export async function reversePurchase(
  tx: Tx,
  purchase: Reversible,
  { before, after, now }: { before: PaymentState; after: PaymentState; now: Date },
): Promise<void> {
  const required = creditsRequired(purchase, after);
  const increase = required - creditsRequired(purchase, before);
  const taken = purchase.takenBackCredits;
  const balance = await balanceCredits(tx, purchase.accountId, 'purchased');
  const takenBack = increase > 0 ? Math.min(required, taken + balance) : Math.min(required, taken);
  if (takenBack !== taken) await postAdjustment(tx, purchase, taken - takenBack, now);
  await tx
    .updateTable('checkouts')
    .set({ taken_back_credits: takenBack, owed_credits: required - takenBack })
    .where('id', '=', purchase.id)
    .execute();
}

function creditsRequired(purchase: Reversible, state: PaymentState): number {
  return state.disputed ? purchase.credits : creditsRefunded(purchase, state.refundedUsdCents);
}

async function postAdjustment(tx: Tx, purchase: Reversible, amountCredits: number, now: Date): Promise<void> {
  const prefix = `purchase/${purchase.id}/adjustment/`;
  const { adjustments } = await tx
    .selectFrom('ledger_transfers')
    .select(eb => eb.fn.countAll<number>().as('adjustments'))
    .where('account_id', '=', purchase.accountId)
    .where('operation_key', 'like', `${prefix}%`)
    .executeTakeFirstOrThrow();
  await postTransfer(tx, {
    operationKey: prefix + String(adjustments + 1),
    kind: 'adjustment',
    accountId: purchase.accountId,
    reportId: null,
    apiKeyId: null,
    pool: 'purchased',
    house: 'house_issued',
    amountCredits,
    reason: amountCredits < 0 ? 'payment refunded or disputed' : 'payment restored',
    now,
  });
}
