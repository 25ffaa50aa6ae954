import type { AddressInfo } from 'node:net';
import { shutdownRequested, tellReady } from '../../../platform/settings/lifetime.js';
import { startSimulator } from '../../../simulator/simulator.js';
import { createFakeGamma } from './fake-gamma-server.js';

/**
 * A process with the external services of a deployment: simulated model vendors and a market. Separate, so
 * that its CPU time is counted separately.
 */
const shutdown = shutdownRequested();
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
await shutdown;
process.exit(0);

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('the market does not listen on a port');
  return address.port;
}
