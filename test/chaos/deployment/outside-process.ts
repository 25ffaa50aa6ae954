import type { SimulatedCall } from '../../../simulator/faults.js';
import { startSimulator } from '../../../simulator/simulator.js';
import { editionIn, startGammaStandIn } from './gamma-stand-in.js';
import type { OutsideCommand, OutsideMessage } from './outside.js';

/** The vendors and the market, in a separate process that no fault affects. */
const simulator = await startSimulator({ latencyMs: { min: 150, max: 1_800 } });
const gamma = await startGammaStandIn();
const tellEveryMs = 100;
let outcome: SimulatedCall | undefined;

const tell = (news: OutsideMessage) => process.send?.(news);

/** The simulator keeps only its latest calls. */
function tellCalls(): void {
  const calls = simulator.calls.slice(outcome === undefined ? 0 : simulator.calls.lastIndexOf(outcome) + 1);
  outcome = calls.at(-1) ?? outcome;
  if (calls.length === 0) return;
  tell({
    calls: calls.map(({ user, model, stage, keyHash, vendor, at, fault }) => {
      return { edition: editionIn(user), model, stage, keyHash, vendor, at, fault };
    }),
  });
}

setInterval(tellCalls, tellEveryMs);
process.on('message', (order: OutsideCommand) => {
  gamma.behaviour = order.market;
});
process.on('disconnect', () => process.exit(0));
tell({ ready: { simulatorUrl: simulator.url, gammaUrl: gamma.url } });
