import { freezeMarket } from '../../../db/reports/run.js';
import { bought, refund, request, snapshot } from './purchases.js';
import type { TestWorld } from './test-world.js';

/** Creates runs in a given status, each with its own purchase and account. */
export function openRuns(world: TestWorld) {
  const pending = async () => {
    const purchase = request({ accountId: await world.openAccount(1_000), eventId: await world.openEvent() });
    return { ...purchase, ...(await bought(world.db, purchase)) };
  };
  const processing = async () => {
    const run = await pending();
    await freezeMarket(world.db, run.reportId, snapshot);
    return run;
  };
  const failed = async () => {
    const run = await pending();
    await refund(world.db, run);
    return run;
  };
  return { pending, processing, failed };
}
