import type { Command } from 'commander';
import { shutdownRequested } from '../../platform/settings/lifetime.js';
import { simulatedLatencyMs } from '../../providers/open-providers.js';
import { startSimulator } from '../../simulator/simulator.js';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('simulator')
    .description(
      'Serves simulated APIs of the four vendors and OpenRouter until Ctrl-C or SIGTERM. Workers with simulated models use it if SIMULATOR_URL is its address; otherwise each worker starts its own, with its own faults. Anyone who reaches it can set faults.',
    )
    .summary('serve one simulator for all workers')
    .option('--host <host>', 'where it listens', '127.0.0.1')
    .option('--port <port>', 'its port', wholeNumber, 4_010)
    .addHelpText('after', examples('simulator', 'simulator --host 0.0.0.0 --port 4010'))
    .action(async (address: { host: string; port: number }) => {
      await serveSimulator(address, context.output, shutdownRequested());
    });
}

interface SimulatorAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the simulated vendors until the process is asked to end, for workers with SIMULATOR_URL.
 * @param ended resolves when the process is asked to end
 */
async function serveSimulator(
  address: SimulatorAddress,
  output: Output,
  ended: Promise<void>,
): Promise<void> {
  const simulator = await startSimulator({ ...address, latencyMs: simulatedLatencyMs });
  const { url } = simulator;
  output.result({ url }, `The simulator listens at ${url}`);
  output.next(`Set SIMULATOR_URL for all workers. Faults are set at ${url}/simulator/faults`);
  await ended;
  await simulator.close();
}
