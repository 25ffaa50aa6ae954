import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from './command-line.js';

/** What is audited, explained and corrected: ledger, price, usage and record. */
export function bookCommands(council: Command, here: CommandContext): void {
  ledgerCommands(council, here);
  quoteCommands(council, here);
  usageCommands(council, here);
  recordCommands(council, here);
}

function ledgerCommands(council: Command, here: CommandContext): void {
  council
    .command('ledger')
    .description('operators: the books')
    .command('check')
    .description(
      'Audits ledger, purchases, grants and usage, and changes nothing. Ends with 1 when the books do not add up.',
    )
    .summary('audit the books')
    .addHelpText('after', examples('ledger check', 'ledger check --json'))
    .action(async () => {
      const { checkLedger } = await import('../commands/check-books.js');
      await here.database(db => checkLedger(db, here.output, new Date()));
    });
}

function quoteCommands(council: Command, here: CommandContext): void {
  council
    .command('quote')
    .description('operators: the price')
    .command('explain')
    .description('Shows what runs have cost, and how the price follows it.')
    .summary('show how the price came about')
    .option('--runs <n>', 'how many runs back', wholeNumber, 10)
    .addHelpText('after', examples('quote explain --runs 20'))
    .action(async (options: { runs: number }) => {
      const { explainQuote } = await import('../commands/explain-quote.js');
      await here.database(db => explainQuote(db, here.output, options));
    });
}

function usageCommands(council: Command, here: CommandContext): void {
  council
    .command('usage')
    .description('operators: what subscriptions are billed for')
    .command('void')
    .description(
      'Takes a report off the bill of a subscription, here and at Stripe. May be repeated until both are done; ends with 1 while Stripe may still bill it.',
    )
    .summary('take a report off the bill')
    .argument('<id>', 'the id of the usage')
    .requiredOption('--reason <text>', 'why; kept with the usage')
    .addHelpText('after', examples('usage void 5f0c9b1e-6d3a-4f5e-9c57-2f6f0c9a7d10 --reason "a double run"'))
    .action(async (id: string, { reason }: { reason: string }) => {
      const { voidUsage } = await import('../commands/void-usage.js');
      const { createPaymentGateway } = await import('../../payments/stripe-client.js');
      const payments = createPaymentGateway(here.settings());
      await here.database(db => voidUsage(db, payments, here.output, { id, reason, now: new Date() }));
    });
}

function recordCommands(council: Command, here: CommandContext): void {
  council
    .command('record')
    .description('operators: the public record')
    .command('verify')
    .description(
      'Redoes every hash of the record, and holds it against the reports. Ends with 1 when anything was changed, added or left out.',
    )
    .summary('redo every hash of the record')
    .addHelpText('after', examples('record verify'))
    .action(async () => {
      const { checkRecord } = await import('../commands/check-books.js');
      await here.database(db => checkRecord(db, here.output));
    });
}
