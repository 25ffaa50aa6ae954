import { simulatedLatencyMs } from '../../providers/open-providers.js';
import { startSimulator } from '../../simulator/simulator.js';
import type { Output } from '../terminal/output.js';

export interface SimulatorAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the simulated vendors until the process is asked to end, for workers with SIMULATOR_URL.
 * @param ended resolves when the process is asked to end
 */
export async function serveSimulator(
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
