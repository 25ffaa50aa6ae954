import { settlePaymentFinding } from '../../db/billing/payment-findings.js';
import type { Db } from '../../db/database.js';
import { commandLine } from '../groups/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { checkReason } from './check-reason.js';

export interface PaymentToSettle {
  /** The id of the checkout session, the dispute or the warning at Stripe. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Marks a payment that needed a person as settled, after which a subscription that it stopped pays again. Moves no money:
 * the operator did, here or at Stripe.
 */
export async function settlePayment(
  db: Db,
  output: Output,
  { id, reason, now }: PaymentToSettle,
): Promise<void> {
  checkReason(reason);
  const finding = await settlePaymentFinding(db, id, { reason, now });
  if (finding === null) {
    throw new Failure(`There is no payment to review under ${id}.`, {
      next: `${commandLine('ledger check')} lists them.`,
    });
  }
  const { kind, checkoutReference, accountId, paidCents, currency, settledReason } = finding;
  output.result(
    {
      session_id: id,
      kind,
      checkout_id: checkoutReference,
      account_id: accountId,
      paid_cents: paidCents,
      currency,
      settled_reason: settledReason,
    },
    `The payment of ${id} is settled: ${settledReason}`,
  );
}
