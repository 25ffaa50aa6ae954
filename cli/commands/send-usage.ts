import type { Command } from 'commander';
import type { UsageRow } from '../../db/billing/usage.js';
import { sumOtherUsage } from '../../db/billing/usage-comparison.js';
import { resendUsage, settleByOperator } from '../../db/billing/usage-corrections.js';
import type { Db } from '../../db/database.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import { usageFate } from '../../purchase/billing.js';
import type { CommandContext } from '../command-context.js';
import { commandLine } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { describeUsage, findUsageOf, type UsageCommand, withUsage } from './find-usage.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  withUsage(group.command('send'), 'not in the invoice')
    .description(
      'Sends held usage, or usage that Stripe has lost, unless Stripe has counted it. Sends nothing when that cannot be told.',
    )
    .summary('send usage that Stripe does not have')
    .action(async (id: string, { reason }: { reason: string }) => {
      const payments = createPaymentGateway(context.settings());
      await context.database(db => sendUsage(db, payments, context.output, { id, reason, now: new Date() }));
    });
}

type UsageReader = Pick<PaymentGateway, 'readUsage'>;

/**
 * Has usage sent again that Stripe does not have. Stripe recognises a repeated identifier for one day, so older usage
 * is first looked up in what Stripe has counted: if it is there, it is settled instead, and if that cannot be told,
 * nothing happens. The sender then sends it within a minute.
 */
async function sendUsage(
  db: Db,
  payments: UsageReader | null,
  output: Output,
  command: UsageCommand,
): Promise<void> {
  const usage = await findUsageOf(db, command);
  const { id, reason, now } = command;
  const { state } = usage;
  if (state === 'void') throw nothingToSend(usage, 'Void usage is not billed.');
  if (usageFate({ occurredAt: usage.occurredAt, firstTriedAt: null }, now) === 'hold') {
    throw nothingToSend(
      usage,
      `Stripe no longer accepts usage of that age. Bill it there by hand, then run ${commandLine(`usage settle ${id}`)}.`,
    );
  }
  const counted = state === 'pending' ? 'no' : await countedAtStripe(db, payments, usage, now);
  if (counted === 'unclear') throw unclear(usage);
  if (counted === 'yes') {
    if (state === 'held') await settleByOperator(db, id, { reason, now });
    output.result(
      { ...describeUsage(usage), reason, counted_at_stripe: true },
      `Usage ${id} is not sent: Stripe has counted it.`,
    );
    return;
  }
  if (!(await resendUsage(db, { id, state }, { reason, now }))) {
    throw nothingToSend(usage, 'Its state has just changed. Run this again.');
  }
  output.result(
    { ...describeUsage(usage), reason, counted_at_stripe: false },
    `Usage ${id} will be sent within a minute: ${reason}`,
  );
}

const minuteMs = 60_000;

/**
 * Stripe reports sums, of one minute at the least. They tell whether this usage is among them, unless other usage of
 * the same minute is uncertain as well.
 */
async function countedAtStripe(
  db: Db,
  payments: UsageReader | null,
  { id, customerId, occurredAt, amountUsdCents }: UsageRow,
  now: Date,
): Promise<'yes' | 'no' | 'unclear'> {
  if (payments === null) {
    throw new Failure('Payments are not configured, so it cannot be told whether Stripe has this usage.', {
      next: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
    });
  }
  const from = new Date(Math.floor(occurredAt.getTime() / minuteMs) * minuteMs);
  const range = { customerId, from, to: new Date(from.getTime() + minuteMs) };
  const others = await sumOtherUsage(db, { ...range, exceptId: id, now });
  const counted = (await payments.readUsage({ ...range, byDay: false })).reduce(
    (sum, { usdCents }) => sum + usdCents,
    0,
  );
  if (counted < others.certainUsdCents + amountUsdCents) return 'no';
  return counted >= others.certainUsdCents + others.possibleUsdCents + amountUsdCents ? 'yes' : 'unclear';
}

function nothingToSend({ id, state }: UsageRow, next: string): Failure {
  return new Failure(`Usage ${id} is ${state} and cannot be sent.`, { next });
}

function unclear({ id }: UsageRow): Failure {
  return new Failure(
    `It cannot be told whether Stripe has counted usage ${id}: other usage of that minute is uncertain.`,
    {
      next: `Look it up at Stripe. If it is billed, run ${commandLine(`usage settle ${id}`)}, else bill it there by hand.`,
    },
  );
}
