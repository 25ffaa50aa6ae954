import type { Command } from 'commander';
import {
  findDueCancellation,
  recordCancellation,
  voidUsage as removeFromBill,
  settleByOperator,
} from '../../db/billing/usage-corrections.js';
import type { Db } from '../../db/database.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import { tryCancellation } from '../../payments/try-cancellation.js';
import type { CommandContext } from '../command-context.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { describeUsage, findUsageOf, type UsageCommand, withUsage } from './find-usage.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  withUsage(group.command('void'), 'duplicate run')
    .description(
      'Removes a report from the bill of a subscription, here and at Stripe. What fails at Stripe is tried again for a day; exits with 1 while Stripe has not confirmed it.',
    )
    .summary('remove a report from the bill')
    .action(async (id: string, { reason }: { reason: string }) => {
      const payments = createPaymentGateway(context.settings());
      await context.database(db => voidUsage(db, payments, context.output, { id, reason, now: new Date() }));
    });
  withUsage(group.command('settle'), 'billed by invoice item')
    .description(
      'Records that usage was dealt with at Stripe by hand: held usage is billed, void usage is not. Sends nothing.',
    )
    .summary('record what was done at Stripe by hand')
    .action(async (id: string, { reason }: { reason: string }) => {
      await context.database(db => settleUsage(db, context.output, { id, reason, now: new Date() }));
    });
}

/**
 * Removes a metered report from the bill of a subscription. Usage that was not sent yet is never sent. Usage that
 * Stripe may have is cancelled there as well; if that fails now, maintenance tries it again for a day.
 * @returns false while Stripe has not confirmed the cancellation
 */
async function voidUsage(
  db: Db,
  payments: Pick<PaymentGateway, 'cancelUsage'> | null,
  output: Output,
  command: UsageCommand,
): Promise<boolean> {
  const usage = await findUsageOf(db, command);
  const { id, reason } = command;
  const cancellation = await removeFromBill(db, id, command);
  const trouble = await troubleOf(db, payments, { id, cancellation, now: command.now });
  const document = {
    ...describeUsage(usage),
    reason,
    cancelled_at_stripe: cancellation === null ? null : trouble === null,
    ...(trouble === null ? {} : { trouble }),
  };
  const scope = cancellation === null ? 'before it was sent' : 'here and at Stripe';
  output.result(
    document,
    trouble === null
      ? `Usage ${id} was removed from the bill, ${scope}: ${reason}`
      : `Usage ${id} is void here, but Stripe may still bill it: ${trouble}`,
  );
  return trouble === null;
}

interface Voided {
  readonly id: string;
  readonly cancellation: 'due' | 'done' | 'expired' | null;
  readonly now: Date;
}

const expired =
  'Stripe cancels usage for one day only. Look it up there, credit it by hand if it is on a bill, then settle it here.';

/** @returns null when Stripe does not bill the usage, else why it may */
async function troubleOf(
  db: Db,
  payments: Pick<PaymentGateway, 'cancelUsage'> | null,
  { id, cancellation, now }: Voided,
): Promise<string | null> {
  if (cancellation === 'expired') return expired;
  const due = await findDueCancellation(db, id);
  if (due === null) return null;
  if (payments === null) {
    return 'set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and run this again; the workers try it as well.';
  }
  const done = await tryCancellation(payments, { identifier: id, series: due.series });
  const state = await recordCancellation(db, due, { ...done, now });
  if (done.confirmed || state === 'done') return null;
  if (state === 'expired') return expired;
  return `${done.reason}. It is tried again until Stripe confirms it, for a day. To try it now, run this again.`;
}

/**
 * Records that an operator has dealt with usage at Stripe by hand: held usage is billed there, or void usage is not.
 * Sends nothing.
 */
async function settleUsage(db: Db, output: Output, command: UsageCommand): Promise<void> {
  const usage = await findUsageOf(db, command);
  const { id, reason } = command;
  if (!(await settleByOperator(db, id, command))) {
    throw new Failure(`Usage ${id} is ${usage.state}: there is nothing to settle.`, {
      next: 'Only held usage, and void usage whose cancellation Stripe has not confirmed, is settled by hand.',
    });
  }
  output.result({ ...describeUsage(usage), reason }, `Usage ${id} is settled: ${reason}`);
}
