import { expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { bought, buy, complete } from '../support/purchases.js';
import { inParallel, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

/** Events with a completed report of another account, so only the balance limits a buyer. */
async function finishedEvents(count: number): Promise<string[]> {
  return inParallel(count, async () => {
    const eventId = await world.openEvent();
    const accountId = await world.openAccount(1_000);
    const { reportId } = await bought(world.db, { accountId, eventId });
    await complete(world.db, reportId);
    return eventId;
  });
}

test('of sixty concurrent purchases exactly as many succeed as the balance pays for', async () => {
  const events = await finishedEvents(60);
  const price = (
    await bought(world.db, { accountId: await world.openAccount(1_000), eventId: events[0] ?? '' })
  ).creditsSpent;
  const accountId = await world.openAccount(17 * price + price - 1);
  const outcomes = await Promise.all(events.map(eventId => buy(world.db, { accountId, eventId })));
  const sold = outcomes.filter(outcome => outcome !== 'fresh_needed' && 'kind' in outcome);
  const refused = outcomes.filter(
    outcome =>
      outcome !== 'fresh_needed' && 'refused' in outcome && outcome.refused === 'insufficient_credits',
  );
  expect([sold.length, refused.length]).toEqual([17, 43]);
  expect(await balanceCredits(world.db, accountId, 'purchased')).toBe(price - 1);
  const [{ purchases }] = await world.sql(
    'select count(*) as purchases from report_purchases where account_id = $1',
    [accountId],
  );
  expect(purchases).toBe(17);
});
