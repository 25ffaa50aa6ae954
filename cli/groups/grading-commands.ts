import { type Command, Option } from 'commander';
import { graderVersion } from '../../council/track-record/grade.js';
import type { GradingSelection } from '../../council/track-record/grading.js';
import type { CommandContext } from '../command-context.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import { examples } from './command-line.js';

export function gradingCommands(council: Command, here: CommandContext): void {
  council
    .command('regrade')
    .description(
      'Has the workers grade reports whose events are over, and watches them; unless told which, those that are due. Grading again changes nothing that holds. Ending this command ends no batch; ends with 1 when something could not be graded.',
    )
    .summary('operators: grade reports whose events are over')
    .addOption(new Option('--event <id>', 'those of one event').conflicts(['since', 'all']))
    .addOption(new Option('--since <date>', 'those completed on YYYY-MM-DD (UTC) or later').conflicts('all'))
    .option('--all', 'all that are in the record')
    .addHelpText('after', examples('regrade', 'regrade --since 2031-03-01', 'regrade --all --json'))
    .action(async (options: { event?: string; since?: string; all?: boolean }) => {
      const selection = selectionOf(options);
      const { regradeReports } = await import('../commands/regrade-reports.js');
      await here.temporal(({ client, manifest }) => regradeReports(client, manifest, here.output, selection));
    });
  council
    .command('evaluate')
    .description(
      "Grades the council's method on a CSV file of answered questions (docs/evaluate.md): n and Brier of council, market, blend, mean and each forecaster, as JSON. Needs no service.",
    )
    .summary("grade the council's method on a CSV file of answered questions")
    .argument(
      '<file>',
      'columns id,[event],[checkpoint],outcome,market and one per forecaster; probabilities 0 to 1',
    )
    .addHelpText('after', examples('evaluate forecasts.csv'))
    .action(async (file: string) => {
      const { evaluateForecasts } = await import('../commands/evaluate-forecasts.js');
      evaluateForecasts(here.output, file);
    });
}

/**
 * Which reports an operator's options name; none of them means what is due.
 * @throws Failure when there is no such date
 */
function selectionOf({
  event,
  since,
  all,
}: {
  event?: string;
  since?: string;
  all?: boolean;
}): GradingSelection {
  if (event !== undefined) return { kind: 'event', eventId: event };
  if (since !== undefined) return { kind: 'since', date: day(since) };
  return all === true ? { kind: 'all', grader: graderVersion } : { kind: 'due' };
}

function day(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new Failure(`--since: ${text} is no date; write YYYY-MM-DD.`, {
    next: 'Add --help to see how it is used.',
    exitCode: exitCodes.usage,
  });
}
