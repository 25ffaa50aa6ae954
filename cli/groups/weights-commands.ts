import { type Command, InvalidArgumentError } from 'commander';
import { utcDay } from '../../council/calendar.js';
import type { CommandContext } from '../command-context.js';
import { examples } from './command-line.js';

/** Commands for operators: the weights of the estimate. */
export function weightsCommands(council: Command, context: CommandContext): void {
  const weights = council.command('weights').description('operators: the weights of the estimate');
  fitCommand(weights, context);
  storedCommands(weights, context);
}

function fitCommand(weights: Command, context: CommandContext): void {
  weights
    .command('fit')
    .description(
      'Fits weights to a CSV file of resolved questions (docs/evaluate.md), shrunk towards the fixed blend of 80 % market and 20 % council. Prints the artefact as JSON, with what estimates out of fold scored. Needs no service and no database, and activates nothing.',
    )
    .summary('fit weights to a file of resolved questions')
    .argument('<file>', 'the file that `evaluate` reads')
    .option('--out <path>', 'the file to write the artefact to')
    .option('--id <id>', 'the id of the weights; by default fit- and the date', weightsId)
    .addHelpText('after', examples('weights fit forecasts.csv --out weights.json'))
    .action(async (file: string, { id, out }: { id?: string; out?: string }) => {
      const { fitWeightsToFile } = await import('../commands/fit-weights.js');
      const now = new Date();
      const chosen = { id: id ?? `fit-${utcDay(now)}`, now };
      fitWeightsToFile(context.output, file, out === undefined ? chosen : { ...chosen, out });
    });
}

function storedCommands(weights: Command, context: CommandContext): void {
  weights
    .command('list')
    .description(
      'Lists all stored weights, the newest first, marks those in force with *, and lists the last refits.',
    )
    .summary('list stored weights and refits')
    .addHelpText('after', examples('weights list', 'weights list --json'))
    .action(async () => {
      const { listStoredWeights } = await import('../commands/show-weights.js');
      await context.database(db => listStoredWeights(db, context.output));
    });
  weights
    .command('show')
    .description('Prints stored weights as JSON, with their hash and the refit that they come from.')
    .summary('print stored weights')
    .argument('<id>', 'an id of `weights list`')
    .addHelpText('after', examples('weights show halawi-2024'))
    .action(async (id: string) => {
      const { showWeights } = await import('../commands/show-weights.js');
      await context.database(db => showWeights(db, context.output, id));
    });
  weights
    .command('activate')
    .description(
      'Puts stored weights in force for all reports that are concluded from now on. Completed reports keep their numbers. Also the way back to earlier weights.',
    )
    .summary('put stored weights in force')
    .argument('<id>', 'an id of `weights list`')
    .requiredOption('--reason <text>', 'the reason, stored with the activation')
    .addHelpText('after', examples('weights activate halawi-2024 --reason "back to the first weights"'))
    .action(async (id: string, { reason }: { reason: string }) => {
      const { activateStoredWeights } = await import('../commands/show-weights.js');
      await context.database(db =>
        activateStoredWeights(db, context.output, { id, reason, now: new Date() }),
      );
    });
}

function weightsId(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected lower-case letters, digits, dots and hyphens, at most 64.');
}
