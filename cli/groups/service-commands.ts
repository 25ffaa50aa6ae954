import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from './command-line.js';

/** Commands for operators: the Temporal server, and the diagnosis of the whole set-up. */
export function serviceCommands(council: Command, context: CommandContext): void {
  council
    .command('temporal')
    .description('operators: the Temporal server')
    .command('apply')
    .description(
      'Configures the Temporal server at TEMPORAL_ADDRESS (or TEMPORAL_PROFILE, or the one running here) as temporal.yaml describes: namespace, retention, search attributes and maintenance workflows. Safe to repeat. Exits with 1 if something needs to be fixed by hand.',
    )
    .summary('configure the server as temporal.yaml describes')
    .option('--dry-run', 'only show the changes')
    .option('--prune', 'terminate maintenance workflows that are no longer in temporal.yaml')
    .addHelpText('after', examples('temporal apply --dry-run', 'temporal apply --prune'))
    .action(async ({ dryRun = false, prune = false }: { dryRun?: boolean; prune?: boolean }) => {
      const { applyTemporal } = await import('../commands/apply-temporal.js');
      await context.temporal(({ client: { connection }, address, ...target }) =>
        applyTemporal({ connection, ...target, dryRun }, context.output, { address, prune }),
      );
    });
  council
    .command('simulator')
    .description(
      'Serves simulated APIs of the four vendors and OpenRouter until Ctrl-C or SIGTERM. Workers with simulated models use it if SIMULATOR_URL is its address; otherwise each worker starts its own, with its own faults. Anyone who reaches it can set faults.',
    )
    .summary('serve one simulator for all workers')
    .option('--host <host>', 'where it listens', '127.0.0.1')
    .option('--port <port>', 'its port', wholeNumber, 4_010)
    .addHelpText('after', examples('simulator', 'simulator --host 0.0.0.0 --port 4010'))
    .action(async (address: { host: string; port: number }) => {
      const { serveSimulator } = await import('../commands/serve-simulator.js');
      const { shutdownRequested } = await import('../../platform/settings/lifetime.js');
      await serveSimulator(address, context.output, shutdownRequested());
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
