import { freezeMarket } from '../../../db/reports/run.js';
import { bought, refund, request, snapshot } from './purchases.js';
import type { TestWorld } from './test-world.js';

/** Runs as far as a test needs them, each of a purchase and an account of its own. */
export function openRuns(world: TestWorld) {
  const pending = async () => {
    const wish = request({ accountId: await world.openAccount(1_000), eventId: await world.openEvent() });
    return { ...wish, ...(await bought(world.db, wish)) };
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
