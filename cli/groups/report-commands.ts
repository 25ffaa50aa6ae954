import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from './command-line.js';

export function reportCommands(council: Command, context: CommandContext): void {
  const report = council.command('report').description('run and read reports; requires COUNCIL_API_KEY');
  report
    .command('run')
    .description(
      'Finds an event, shows the price, buys a report at that price, shows the progress of each stage and prints the verdict. A failed run is refunded. The run continues if this command is interrupted.',
    )
    .summary('find an event, show the price, run the council and print its verdict')
    .argument('<search or event id>', 'an event id, or text to search for')
    .option('--max-credits <n>', 'the highest price to accept', wholeNumber)
    .addHelpText(
      'after',
      examples('report run "fed cut"', 'report run sample-fed-cut-2031 --max-credits 150 --json'),
    )
    .action(async (words: string, options: { maxCredits?: number }) => {
      const { runReport } = await import('../commands/run-report.js');
      await runReport(context.customer(), context.output, { words, maxCredits: options.maxCredits ?? null });
    });
  report
    .command('show')
    .description('Prints a report of the account: verdict, distribution, dissent and bets.')
    .summary('print a report')
    .argument('<id>', 'the number of the report', wholeNumber)
    .addHelpText('after', examples('report show 7', 'report show 7 --json'))
    .action(async (id: number) => {
      const { showReport } = await import('../commands/run-report.js');
      await showReport(context.customer(), context.output, id);
    });
}
