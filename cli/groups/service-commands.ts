import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples } from './command-line.js';

/** Commands for operators: the Temporal server, and the diagnosis of the whole set-up. */
export function serviceCommands(council: Command, context: CommandContext): void {
  council
    .command('temporal')
    .description('operators: the Temporal server')
    .command('apply')
    .description(
      'Configures the Temporal server at TEMPORAL_ADDRESS (or TEMPORAL_PROFILE, or the one running here) as temporal.yaml describes: namespace, retention, search attributes and schedules. Safe to repeat. Exits with 1 if something needs to be fixed by hand.',
    )
    .summary('configure the server as temporal.yaml describes')
    .option('--dry-run', 'only show the changes')
    .option('--prune', 'remove schedules of this service that are no longer in temporal.yaml')
    .addHelpText('after', examples('temporal apply --dry-run', 'temporal apply --prune'))
    .action(async ({ dryRun = false, prune = false }: { dryRun?: boolean; prune?: boolean }) => {
      const { applyTemporal } = await import('../commands/apply-temporal.js');
      await context.temporal(({ client: { connection }, address, ...target }) =>
        applyTemporal({ connection, ...target, dryRun }, context.output, { address, prune }),
      );
    });
  council
    .command('doctor')
    .description(
      'Checks settings, ports, keys, database, Temporal, clock and payments, and asks every model one cheap question. For each it prints what it found and what to do. Works whether the service runs or not, and changes nothing. Exits with 1 if there is a problem.',
    )
    .summary('find problems of this set-up, and say how to fix them')
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(async () => {
      const { diagnose } = await import('../commands/diagnose.js');
      if (!(await diagnose(context.env, context.output, { now: Date.now }))) context.markFailed();
    });
}
