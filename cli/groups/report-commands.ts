import { type Command, Option } from 'commander';
import { type Lane, lanes } from '../../purchase/purchase.js';
import type { CommandContext } from '../command-context.js';
import { dollarsAsCents, examples, wholeNumber } from './command-line.js';

export function reportCommands(council: Command, context: CommandContext): void {
  const report = council.command('report').description('run and read reports; requires COUNCIL_API_KEY');
  report
    .command('run')
    .description(
      'Finds an event, shows the price, buys a report at that price, shows the progress of each stage and prints the verdict. Dollars are billed only within --max-usd. A failed run is refunded or not billed. The run continues if this command is interrupted.',
    )
    .summary('find an event, show the price, run the council and print its verdict')
    .argument('<search or event id>', 'an event id, or text to search for')
    .addOption(
      new Option(
        '--lane <lane>',
        'how to pay; by default with the subscription if there is one, otherwise with credits',
      ).choices(lanes),
    )
    .option('--max-credits <n>', 'the highest price in credits to accept', wholeNumber)
    .option(
      '--max-usd <dollars>',
      'the highest price in dollars to accept, which only a subscription bills; without it, no dollars are billed',
      dollarsAsCents,
    )
    .addHelpText(
      'after',
      examples(
        'report run "fed cut"',
        'report run sample-fed-cut-2031 --lane credits --max-credits 150 --json',
        'report run "fed cut" --lane subscription --max-usd 3',
      ),
    )
    .action(async (words: string, options: { lane?: Lane; maxCredits?: number; maxUsd?: number }) => {
      const { runReport } = await import('../commands/run-report.js');
      await runReport(context.customer(), context.output, {
        words,
        lane: options.lane,
        maxCredits: options.maxCredits ?? null,
        maxUsdCents: options.maxUsd ?? null,
      });
    });
  report
    .command('show')
    .description(
      'Prints a report of the account in Markdown: verdict, dissent, bets, and opinions with their sources.',
    )
    .summary('print a report')
    .argument('<id>', 'the number of the report', wholeNumber)
    .addHelpText('after', examples('report show 7', 'report show 7 --json'))
    .action(async (id: number) => {
      const { showReport } = await import('../commands/run-report.js');
      await showReport(context.customer(), context.output, id);
    });
}
