import { findUsage, voidUsage as takeOffBill } from '../../db/billing/usage.js';
import type { Db } from '../../db/database.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { commandLine } from '../groups/command-line.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';

export interface UsageToVoid {
  /** The id of the usage, which is that of its purchase. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

const reasonMaxChars = 1_000;

/**
 * Takes a metered report off a subscription's bill. One that was not sent yet is never sent; one that may have been is
 * cancelled at Stripe as well. May be repeated until both are done.
 * @returns false when Stripe may have it, and it could not be cancelled there
 */
export async function voidUsage(
  db: Db,
  payments: Pick<PaymentGateway, 'cancelUsage'> | null,
  output: Output,
  { id, reason, now }: UsageToVoid,
): Promise<boolean> {
  if (reason.trim() === '' || reason.length > reasonMaxChars) {
    throw new Failure(`A reason of 1 to ${reasonMaxChars} characters is needed.`, {
      next: 'Give it with --reason.',
      exitCode: exitCodes.usage,
    });
  }
  const usage = /^[0-9a-f-]{36}$/.test(id) ? await findUsage(db, id) : null;
  if (usage === null) {
    throw new Failure(`There is no usage with the id ${id}.`, {
      next: `The id of a usage is that of its purchase; ${commandLine('ledger check')} names those that need looking at.`,
    });
  }
  const mayBeSent = await takeOffBill(db, id, { reason, now });
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
  const whole = mayBeSent ? 'here and at Stripe' : 'before it was sent';
  output.result(
    document,
    trouble === null
      ? `Usage ${id} was taken off the bill, ${whole}: ${reason}`
      : `Usage ${id} is void here, but Stripe may still bill it: ${trouble}`,
  );
  return trouble === null;
}

/** Null when it is done. */
async function cancel(
  payments: Pick<PaymentGateway, 'cancelUsage'> | null,
  identifier: string,
): Promise<string | null> {
  if (payments === null)
    return 'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and run this once more, so that it can be cancelled there.';
  try {
    await payments.cancelUsage({ identifier });
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${reason}. Run this once more; after a day Stripe cancels no usage, and it has to be credited there by hand.`;
  }
}
