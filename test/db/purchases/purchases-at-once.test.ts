import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readOwedCredits } from '../../../db/billing/reverse-purchase.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { boughtCheckout, stand } from '../support/checkouts.js';
import { bought, buy, complete, refund } from '../support/purchases.js';
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

/**
 * A sale that a weekly grant pays issues credits and then earns them; the refund of a debtor returns what was earned and
 * then takes back what was issued. Each writes to both accounts of the house.
 */
test('sales by weekly grants and refunds that collect a debt never deadlock', async () => {
  for (const _ of Array(5)) {
    const debtors = await inParallel(10, openedDebt);
    const granted = await inParallel(10, () => world.openAccount(0, { weeklyGrant: true }));
    const events = await inParallel(10, () => world.openEvent());
    await inParallel(10, async index => {
      const debtor = debtors[index] ?? fail();
      await Promise.all([
        bought(world.db, { accountId: granted[index] ?? '', eventId: events[index] ?? '' }),
        refund(world.db, debtor),
      ]);
      expect(await readOwedCredits(world.db, debtor.accountId)).toBe(0);
    });
  }
});

/** A run that was paid with credits whose payment was refunded since. */
async function openedDebt(): Promise<{ accountId: string; purchaseId: string }> {
  const accountId = await world.openAccount();
  const purchaseId = randomUUID();
  const checkout = await boughtCheckout(world, accountId);
  await bought(world.db, { accountId, purchaseId, eventId: await world.openEvent() });
  await stand(world, checkout, { refundedUsdCents: 700 });
  expect(await readOwedCredits(world.db, accountId)).toBe(120);
  return { accountId, purchaseId };
}

const fail = () => {
  throw new Error('there are too few debtors');
};
