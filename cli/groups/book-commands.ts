import { type Command, Option } from 'commander';
import { utcDay } from '../../council/calendar.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import type { CommandContext } from '../command-context.js';
import { examples, utcDate, wholeNumber } from './command-line.js';

/** Commands for operators: ledger, price, metered usage, payments and public record. */
export function bookCommands(council: Command, context: CommandContext): void {
  ledgerCommands(council, context);
  quoteCommands(council, context);
  spendCommand(council, context);
  usageCommands(council, context);
  paymentCommands(council, context);
  recordCommands(council, context);
}

function ledgerCommands(council: Command, context: CommandContext): void {
  council
    .command('ledger')
    .description('operators: the books')
    .command('check')
    .description(
      'Audits ledger, purchases, grants and usage, without changing anything. Exits with 1 if the books do not balance.',
    )
    .summary('audit the books')
    .addHelpText('after', examples('ledger check', 'ledger check --json'))
    .action(async () => {
      const { checkLedger } = await import('../commands/check-books.js');
      await context.database(db => checkLedger(db, context.output, new Date()));
    });
}

function quoteCommands(council: Command, context: CommandContext): void {
  council
    .command('quote')
    .description('operators: the price')
    .command('explain')
    .description('Shows what recent runs cost, and how the price follows from it.')
    .summary('explain the current price')
    .option('--runs <n>', 'the number of recent runs', wholeNumber, 10)
    .addHelpText('after', examples('quote explain --runs 20'))
    .action(async (options: { runs: number }) => {
      const { explainQuote } = await import('../commands/explain-quote.js');
      await context.database(db => explainQuote(db, context.output, options));
    });
}

function spendCommand(council: Command, context: CommandContext): void {
  council
    .command('spend')
    .description(
      "Shows what the house's models cost on a UTC day, by lane, model and stage, and what open runs are expected to cost, against HOUSE_LIMIT_USD_PER_DAY and GRANT_LIMIT_USD_PER_DAY of this environment. Model calls are kept for 90 days.",
    )
    .summary("operators: today's model cost against the ceilings")
    .addOption(new Option('--day <date>', 'YYYY-MM-DD, UTC; by default today').argParser(utcDate))
    .addHelpText('after', examples('spend', 'spend --day 2031-03-05 --json'))
    .action(async ({ day }: { day?: string }) => {
      const { showSpend } = await import('../operators/show-spend.js');
      const { salesPolicyOf } = await import('../../platform/settings/sales-policy.js');
      const settings = context.settings();
      const now = new Date();
      const question = {
        policy: salesPolicyOf(settings),
        simulated: settings.COUNCIL_PROVIDERS === 'simulated',
        day: day ?? utcDay(now),
        now,
      };
      await context.database(db => showSpend(db, context.output, question));
    });
}

function usageCommands(council: Command, context: CommandContext): void {
  const usage = council.command('usage').description('operators: metered usage of subscriptions');
  withUsage(usage.command('void'), 'duplicate run')
    .description(
      'Removes a report from the bill of a subscription, here and at Stripe. What fails at Stripe is tried again for a day; exits with 1 while Stripe has not confirmed it.',
    )
    .summary('remove a report from the bill')
    .action(async (id: string, { reason }: { reason: string }) => {
      const { voidUsage } = await import('../commands/void-usage.js');
      const payments = await paymentsOf(context);
      await context.database(db => voidUsage(db, payments, context.output, { id, reason, now: new Date() }));
    });
  withUsage(usage.command('send'), 'not in the invoice')
    .description(
      'Sends held usage, or usage that Stripe has lost, unless Stripe has counted it. Sends nothing when that cannot be told.',
    )
    .summary('send usage that Stripe does not have')
    .action(async (id: string, { reason }: { reason: string }) => {
      const { sendUsage } = await import('../commands/send-usage.js');
      const payments = await paymentsOf(context);
      await context.database(db => sendUsage(db, payments, context.output, { id, reason, now: new Date() }));
    });
  withUsage(usage.command('settle'), 'billed by invoice item')
    .description(
      'Records that usage was dealt with at Stripe by hand: held usage is billed, void usage is not. Sends nothing.',
    )
    .summary('record what was done at Stripe by hand')
    .action(async (id: string, { reason }: { reason: string }) => {
      const { settleUsage } = await import('../commands/settle-usage.js');
      await context.database(db => settleUsage(db, context.output, { id, reason, now: new Date() }));
    });
}

/** The argument, option and example that all commands on usage share. */
function withUsage(command: Command, reason: string): Command {
  return command
    .argument('<id>', 'the id of the usage')
    .requiredOption('--reason <text>', 'the reason, stored with the usage')
    .addHelpText(
      'after',
      examples(`usage ${command.name()} 5f0c9b1e-6d3a-4f5e-9c57-2f6f0c9a7d10 --reason "${reason}"`),
    );
}

async function paymentsOf(context: CommandContext): Promise<PaymentGateway | null> {
  const { createPaymentGateway } = await import('../../payments/stripe-client.js');
  return createPaymentGateway(context.settings());
}

function paymentCommands(council: Command, context: CommandContext): void {
  council
    .command('payments')
    .description('operators: payments that need a person')
    .command('settle')
    .description(
      'Marks a payment that was not credited, is disputed or is called fraudulent as settled. A subscription that it stopped pays again. Moves no money: credit it with `credits grant` or refund it at Stripe first.',
    )
    .summary('settle a payment that needed a person')
    .argument('<id>', 'the id of the checkout session, the dispute or the warning at Stripe')
    .requiredOption('--reason <text>', 'what was done, stored with the payment')
    .addHelpText('after', examples('payments settle cs_live_a1b2c3 --reason "refunded at Stripe"'))
    .action(async (id: string, { reason }: { reason: string }) => {
      const { settlePayment } = await import('../commands/settle-payment.js');
      await context.database(db => settlePayment(db, context.output, { id, reason, now: new Date() }));
    });
}

function recordCommands(council: Command, context: CommandContext): void {
  council
    .command('record')
    .description('operators: the public record')
    .command('verify')
    .description(
      'Recomputes every hash of the record, and compares the record with the reports. Exits with 1 if an entry was changed, added or removed.',
    )
    .summary('recompute every hash of the record')
    .addHelpText('after', examples('record verify'))
    .action(async () => {
      const { checkRecord } = await import('../commands/check-books.js');
      await context.database(db => checkRecord(db, context.output));
    });
}
