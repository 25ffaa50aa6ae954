import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples } from './command-line.js';

/** What the service stands on: Temporal as it is described, and everything as it is found. */
export function serviceCommands(council: Command, here: CommandContext): void {
  council
    .command('temporal')
    .description('operators: the Temporal server')
    .command('apply')
    .description(
      'Makes the Temporal server at TEMPORAL_ADDRESS (or TEMPORAL_PROFILE, or the one running here) what temporal.yaml describes: the namespace and how long it keeps histories, search attributes, maintenance workflows. What is so already is left alone. Ends with 1 when something is there that only a person can mend.',
    )
    .summary('make the server what temporal.yaml describes')
    .option('--dry-run', 'only show what would be done')
    .option('--prune', 'terminate maintenance workflows that temporal.yaml no longer names')
    .addHelpText('after', examples('temporal apply --dry-run', 'temporal apply --prune'))
    .action(async ({ dryRun = false, prune = false }: { dryRun?: boolean; prune?: boolean }) => {
      const { applyTemporal } = await import('../commands/apply-temporal.js');
      await here.temporal(({ client: { connection }, address, ...target }) =>
        applyTemporal({ connection, ...target, dryRun }, here.output, { address, prune }),
      );
    });
  council
    .command('doctor')
    .description(
      'Looks at settings, ports, keys, database, Temporal, clock and payments, and asks every model one cheap question. Says of each what it saw and what to do next, whether anything runs or not. Changes nothing; ends with 1 when there is a problem.',
    )
    .summary('find out what is wrong with this set-up, and what to do about it')
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(async () => {
      const { diagnose } = await import('../commands/diagnose.js');
      if (!(await diagnose(here.env, here.output, { now: Date.now }))) here.foundWrong();
    });
}
