import { findUsage, voidUsage as removeFromBill } from '../../db/billing/usage.js';
import type { Db } from '../../db/database.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { commandLine } from '../groups/command-line.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';

export interface UsageToVoid {
  /** The id of the usage is the id of its purchase. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

const reasonMaxChars = 1_000;

/**
 * Removes a metered report from the bill of a subscription. Usage that was not sent yet is never sent; usage that may
 * have been sent is cancelled at Stripe as well. Can be repeated until both are done.
 * @returns false when Stripe may have the usage and did not cancel it
 */
export async function voidUsage(
  db: Db,
  payments: Pick<PaymentGateway, 'cancelUsage'> | null,
  output: Output,
  { id, reason, now }: UsageToVoid,
): Promise<boolean> {
  if (reason.trim() === '' || reason.length > reasonMaxChars) {
    throw new Failure(`The reason must have 1 to ${reasonMaxChars} characters.`, {
      next: 'Set it with --reason.',
      exitCode: exitCodes.usage,
    });
  }
  const usage = /^[0-9a-f-]{36}$/.test(id) ? await findUsage(db, id) : null;
  if (usage === null) {
    throw new Failure(`There is no usage with the id ${id}.`, {
      next: `The id of a usage is the id of its purchase; ${commandLine('ledger check')} lists those to review.`,
    });
  }
  const mayBeSent = await removeFromBill(db, id, { reason, now });
  const trouble = mayBeSent ? await cancel(payments, id) : null;
  const document = {
    usage_id: id,
    account_id: usage.accountId,
    report_id: usage.reportId,
    amount_usd_cents: usage.amountUsdCents,
    was: usage.state,
    reason,
    cancelled_at_stripe: mayBeSent ? trouble === null : null,
    ...(trouble === null ? {} : { trouble }),
  };
  const scope = mayBeSent ? 'here and at Stripe' : 'before it was sent';
  output.result(
    document,
    trouble === null
      ? `Usage ${id} was removed from the bill, ${scope}: ${reason}`
      : `Usage ${id} is void here, but Stripe may still bill it: ${trouble}`,
  );
  return trouble === null;
}

/** @returns null when the usage is cancelled, else why not */
async function cancel(
  payments: Pick<PaymentGateway, 'cancelUsage'> | null,
  identifier: string,
): Promise<string | null> {
  if (payments === null)
    return 'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and run this again to cancel it there.';
  try {
    await payments.cancelUsage({ identifier });
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${reason}. Run this again. After a day Stripe no longer cancels usage; then credit it there by hand.`;
  }
}
