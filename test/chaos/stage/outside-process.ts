import type { SimulatedCall } from '../../../providers/simulator/faults.js';
import { startSimulator } from '../../../providers/simulator/simulator.js';
import { editionIn, startGammaStandIn } from './gamma-stand-in.js';
import type { OutsideNews, OutsideOrder } from './outside.js';

/** What is outside of the service: the models' vendors and the market. A process of its own, which nothing befalls. */
const simulator = await startSimulator({ latencyMs: { min: 150, max: 1_800 } });
const gamma = await startGammaStandIn();
const tellEveryMs = 100;
let told: SimulatedCall | undefined;

const tell = (news: OutsideNews) => process.send?.(news);

/** The simulator remembers its last calls only. */
function tellCalls(): void {
  const calls = simulator.calls.slice(told === undefined ? 0 : simulator.calls.lastIndexOf(told) + 1);
  told = calls.at(-1) ?? told;
  if (calls.length === 0) return;
  tell({
    calls: calls.map(({ user, model, stage, keyHash, vendor, at, fault }) => {
      return { edition: editionIn(user), model, stage, keyHash, vendor, at, fault };
    }),
  });
}

setInterval(tellCalls, tellEveryMs);
process.on('message', (order: OutsideOrder) => {
  gamma.mood = order.market;
});
process.on('disconnect', () => process.exit(0));
tell({ ready: { simulatorUrl: simulator.url, gammaUrl: gamma.url } });
