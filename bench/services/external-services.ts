import type { AddressInfo } from 'node:net';
import { shutdownRequested, tellReady } from '../../config/lifetime.js';
import { startSimulator } from '../../providers/simulator/simulator.js';
import { createFakeGamma } from './fake-gamma-server.js';

/**
 * What a deployment has outside, in a process of its own, so that what it takes of the machine is counted apart: the
 * vendors' models, simulated, and the market.
 */
const asked = shutdownRequested();
const simulator = await startSimulator();
const gamma = createFakeGamma();
await new Promise<void>(resolve => gamma.listen(0, '127.0.0.1', resolve));
tellReady({
  ready: JSON.stringify({
    simulatorUrl: simulator.url,
    modelUrls: simulator.baseUrls,
    gammaUrl: `http://127.0.0.1:${portOf(gamma.address())}`,
  }),
});
await asked;
process.exit(0);

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the market listens on no port');
  return address.port;
}
