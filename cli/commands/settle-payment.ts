import { settlePaymentFinding } from '../../db/billing/payment-findings.js';
import type { Db } from '../../db/database.js';
import { commandLine } from '../groups/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { checkReason } from './check-reason.js';

export interface PaymentToSettle {
  /** The id of the checkout session at Stripe. */
  readonly sessionId: string;
  readonly reason: string;
  readonly now: Date;
}

/** Marks a payment that was not credited as settled. Moves no money: the operator did, here or at Stripe. */
export async function settlePayment(
  db: Db,
  output: Output,
  { sessionId, reason, now }: PaymentToSettle,
): Promise<void> {
  checkReason(reason);
  const finding = await settlePaymentFinding(db, sessionId, { reason, now });
  if (finding === null) {
    throw new Failure(`There is no payment to review with the session ${sessionId}.`, {
      next: `${commandLine('ledger check')} lists them.`,
    });
  }
  const { kind, checkoutReference, paidCents, currency, settledReason } = finding;
  output.result(
    {
      session_id: sessionId,
      kind,
      checkout_id: checkoutReference,
      paid_cents: paidCents,
      currency,
      settled_reason: settledReason,
    },
    `The payment of session ${sessionId} is settled: ${settledReason}`,
  );
}
