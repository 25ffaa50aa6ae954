import type { Command } from 'commander';
import { settlePaymentFinding } from '../../db/billing/payment-findings.js';
import type { Db } from '../../db/database.js';
import type { CommandContext } from '../command-context.js';
import { checkReason, commandLine, examples } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('settle')
    .description(
      'Marks a payment that was not credited, is disputed or is called fraudulent as settled. A subscription that it stopped pays again. Moves no money: credit it with `credits grant` or refund it at Stripe first.',
    )
    .summary('settle a payment that needed a person')
    .argument('<id>', 'the id of the checkout session, the dispute or the warning at Stripe')
    .requiredOption('--reason <text>', 'what was done, stored with the payment')
    .addHelpText('after', examples('payments settle cs_live_a1b2c3 --reason "refunded at Stripe"'))
    .action(async (id: string, { reason }: { reason: string }) => {
      await context.database(db => settlePayment(db, context.output, { id, reason, now: new Date() }));
    });
}

interface PaymentToSettle {
  /** The id of the checkout session, the dispute or the warning at Stripe. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Marks a payment that needed a person as settled, after which a subscription that it stopped pays again. Moves no money:
 * the operator did, here or at Stripe.
 */
async function settlePayment(db: Db, output: Output, { id, reason, now }: PaymentToSettle): Promise<void> {
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
