import { type Command, Option } from 'commander';
import { graderVersion } from '../../record/grades/grade.js';
import type { GradingSelection } from '../../record/grades/grading.js';
import type { CommandContext } from '../command-context.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import { examples } from './command-line.js';

export function gradingCommands(council: Command, context: CommandContext): void {
  council
    .command('regrade')
    .description(
      'Starts a batch in which the workers grade reports whose events are over, and shows its progress. By default it grades the reports that are due. Grading again does not change correct grades. The batch continues if this command is interrupted. Exits with 1 if something could not be graded.',
    )
    .summary('operators: grade reports whose events are over')
    .addOption(new Option('--event <id>', 'reports on this event').conflicts(['since', 'all']))
    .addOption(
      new Option('--since <date>', 'reports completed on YYYY-MM-DD (UTC) or later').conflicts('all'),
    )
    .option('--all', 'all reports in the record')
    .addHelpText('after', examples('regrade', 'regrade --since 2031-03-01', 'regrade --all --json'))
    .action(async (options: { event?: string; since?: string; all?: boolean }) => {
      const selection = selectionOf(options);
      const { regradeReports } = await import('../commands/regrade-reports.js');
      await context.temporal(({ client, manifest }) =>
        regradeReports(client, manifest, context.output, selection),
      );
    });
  council
    .command('evaluate')
    .description(
      "Grades the council's method on a CSV file of resolved questions (docs/evaluate.md). Prints count and Brier score of council, market, blend, estimate, mean and each forecaster as JSON, and what the bets would have claimed and earned. Needs no running service.",
    )
    .summary("grade the council's method on a CSV file of resolved questions")
    .argument(
      '<file>',
      'columns id,[event],[checkpoint],outcome,market and one per forecaster; probabilities from 0 to 1',
    )
    .addOption(
      new Option(
        '--weights <id>',
        'the weights of the estimate: an id, or the path of an artefact; by default those that the service ships with',
      ).conflicts('fit'),
    )
    .option('--fit', 'estimate each question by coefficients that are fitted on the other events of the file')
    .addHelpText('after', examples('evaluate forecasts.csv', 'evaluate forecasts.csv --fit'))
    .action(async (file: string, { weights, fit }: { weights?: string; fit?: boolean }) => {
      const { evaluateForecasts } = await import('../commands/evaluate-forecasts.js');
      const { chooseWeights } = await import('../commands/choose-weights.js');
      evaluateForecasts(context.output, file, fit === true ? 'fit' : await chooseWeights(context, weights));
    });
}

/**
 * The reports that the options select; without options, those that are due.
 * @throws Failure for an invalid date
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
  if (since !== undefined) return { kind: 'since', date: parseDate(since) };
  return all === true ? { kind: 'all', grader: graderVersion } : { kind: 'due' };
}

function parseDate(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new Failure(`--since: ${text} is not a date; write YYYY-MM-DD.`, {
    next: 'Add --help for usage.',
    exitCode: exitCodes.usage,
  });
}
