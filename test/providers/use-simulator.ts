import { afterAll, afterEach } from '@jest/globals';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';

/** One simulator for all tests of a file: no fault outlives its test. */
export async function useSimulator(): Promise<Simulator> {
  const simulator = await startSimulator();
  afterEach(() => simulator.clearFaults());
  afterAll(() => simulator.close());
  return simulator;
}
