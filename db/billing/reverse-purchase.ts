import { creditsRefunded, type PaymentState } from '../../council/purchase/billing.js';
import type { Tx } from '../database.js';
import { balanceCredits, postTransfer } from '../ledger/ledger.js';

/**
 * Taking back credits whose payment was refunded or is disputed. Invariants:
 * - `taken_back_credits + owed_credits` is what the payment's standing demands: all of them while it is disputed, else
 *   `creditsRefunded`;
 * - a balance never goes below zero: what was spent already is owed, in sight, and stays so when credits are bought
 *   later; only a new change of the same payment asks for it again;
 * - a standing that demands what the one before did moves nothing, so an event that comes twice is one event.
 * The caller holds the account's lock and has posted the purchase.
 */

export interface Reversible {
  readonly id: string;
  readonly accountId: string;
  readonly credits: number;
  readonly priceUsdCents: number;
  readonly takenBackCredits: number;
}

/** Moves the credits that lie between two standings of the payment. */
export async function reversePurchase(
  tx: Tx,
  purchase: Reversible,
  { before, after, now }: { before: PaymentState; after: PaymentState; now: Date },
): Promise<void> {
  const demanded = creditsDemanded(purchase, after);
  const grows = demanded - creditsDemanded(purchase, before);
  const taken = purchase.takenBackCredits;
  const balance = await balanceCredits(tx, purchase.accountId, 'purchased');
  const takes = grows > 0 ? Math.min(demanded, taken + balance) : Math.min(demanded, taken);
  if (takes !== taken) await move(tx, purchase, taken - takes, now);
  await tx
    .updateTable('checkouts')
    .set({ taken_back_credits: takes, owed_credits: demanded - takes })
    .where('id', '=', purchase.id)
    .execute();
}

function creditsDemanded(purchase: Reversible, standing: PaymentState): number {
  return standing.disputed ? purchase.credits : creditsRefunded(purchase, standing.refundedUsdCents);
}

async function move(tx: Tx, purchase: Reversible, amountCredits: number, now: Date): Promise<void> {
  const prefix = `purchase/${purchase.id}/adjustment/`;
  const { moves } = await tx
    .selectFrom('ledger_transfers')
    .select(eb => eb.fn.countAll<number>().as('moves'))
    .where('account_id', '=', purchase.accountId)
    .where('operation_key', 'like', `${prefix}%`)
    .executeTakeFirstOrThrow();
  await postTransfer(tx, {
    operationKey: prefix + String(moves + 1),
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
