import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from './command-line.js';

export function reportCommands(council: Command, here: CommandContext): void {
  const report = council.command('report').description('run and read reports; needs COUNCIL_API_KEY');
  report
    .command('run')
    .description(
      'Finds an event, shows the price, buys a report at that price and no other, follows the council stage by stage and prints its verdict. A run that fails gives the credits back. Ending this command ends no run.',
    )
    .summary('find an event, show the price, run the council and print its verdict')
    .argument('<search or event id>', 'an event id, or words to search for')
    .option('--max-credits <n>', 'do not run if it costs more than this', wholeNumber)
    .addHelpText(
      'after',
      examples('report run "fed cut"', 'report run sample-fed-cut-2031 --max-credits 150 --json'),
    )
    .action(async (words: string, options: { maxCredits?: number }) => {
      const { runReport } = await import('../commands/run-report.js');
      await runReport(here.customer(), here.output, { words, maxCredits: options.maxCredits ?? null });
    });
  report
    .command('show')
    .description('Prints a report that the account owns: verdict, distribution, dissent and bets.')
    .summary('print a report')
    .argument('<id>', 'the number of the report', wholeNumber)
    .addHelpText('after', examples('report show 7', 'report show 7 --json'))
    .action(async (id: number) => {
      const { showReport } = await import('../commands/run-report.js');
      await showReport(here.customer(), here.output, id);
    });
}
