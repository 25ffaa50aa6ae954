import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { recordUsage, sumUsage } from '../../../db/billing/usage.js';
import { voidUsage } from '../../../db/billing/usage-corrections.js';
import {
  deferUsage,
  holdUsage,
  listDueUsage,
  markUsageTried,
  settleSentUsage,
} from '../../../db/billing/usage-sending.js';
import { complete, sell } from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';
import { onSubscription, type Subscriber, usageOf } from '../support/usage.js';

const world = useTestWorld();

const { subscriber, used, usedCached } = usageOf(world);

const everything = { customersMax: 1_000, rowsPerCustomerMax: 1_000 };

async function pendingOf({ accountId }: Subscriber, now = later({ hours: 1 })) {
  return (await listDueUsage(world.db, now, everything)).filter(usage => usage.accountId === accountId);
}

const voided = (id: string, now = noon) => voidUsage(world.db, id, { reason: 'test', now });

const month = [noon, later({ hours: 24 * 30 })] as const;

describe('usage', () => {
  const record = (usage: { purchaseId: string; accountId: string; reportId: number; boughtAt: Date }) =>
    world.db.transaction().execute(tx => recordUsage(tx, { ...usage, kind: 'fresh' }));

  test('is recorded as pending, with its price and customer', async () => {
    const customer = await subscriber();
    const fresh = await used(customer);
    const cached = await usedCached(customer, later({ minutes: 1 }));
    const common = { ...customer, firstTriedAt: null, failures: 0 };
    expect(await pendingOf(customer)).toEqual([
      { ...common, id: fresh, amountUsdCents: 300, occurredAt: noon },
      { ...common, id: cached, amountUsdCents: 150, occurredAt: later({ minutes: 1 }) },
    ]);
  });

  test('occurred when the report was bought, and is recorded once, however late and often that is attempted', async () => {
    const { accountId, customerId } = await subscriber();
    const { purchaseId, reportId } = await sell(world, { accountId, ...onSubscription(noon) });
    await complete(world.db, reportId, 400_000, later({ minutes: 30 }));
    expect(await pendingOf({ accountId, customerId })).toMatchObject([{ id: purchaseId, occurredAt: noon }]);
    await inParallel(10, () => record({ purchaseId, accountId, reportId, boughtAt: later({ hours: 1 }) }));
    expect(await pendingOf({ accountId, customerId })).toMatchObject([{ id: purchaseId, occurredAt: noon }]);
  });

  test('of an account without a Stripe customer is not recorded', async () => {
    const accountId = await world.openAccount();
    const unbilled = { purchaseId: randomUUID(), accountId, reportId: 1, boughtAt: noon };
    await expect(record(unbilled)).rejects.toThrow();
  });

  test('is listed by customer, those first that wait longest, up to both limits', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    const long = new Date('2000-01-01T00:00:00Z');
    const second = await used(one, later({ ms: 2 }, long));
    const ofOther = await used(other, later({ ms: 1 }, long));
    const first = await used(one, long);
    const listed = async (customersMax: number, rowsPerCustomerMax: number) =>
      (await listDueUsage(world.db, noon, { customersMax, rowsPerCustomerMax })).map(({ id }) => id);
    expect(await listed(2, 2)).toEqual([first, second, ofOther]);
    expect(await listed(2, 1)).toEqual([first, ofOther]);
    expect(await listed(1, 2)).toEqual([first, second]);
  });

  test('keeps its terms, and stays void', async () => {
    const id = await used(await subscriber());
    const change = (what: string) => world.sql(`update usage_outbox set ${what} where id = $1`, [id]);
    await expect(change('amount_usd_cents = 1')).rejects.toThrow('keeps its terms');
    await expect(change(`occurred_at = now()`)).rejects.toThrow('keeps its terms');
    await settleSentUsage(world.db, id, noon);
    await expect(change(`state = 'pending', settled_at = null`)).rejects.toThrow('only with a reason');
    await voided(id);
    await expect(change(`state = 'sent', void_reason = null`)).rejects.toThrow('is void');
  });
});

describe('sending', () => {
  test('keeps the time of the first attempt, and forgets it only when every attempt was refused', async () => {
    const customer = await subscriber();
    const id = await used(customer);
    const fail = (refused: boolean) => deferUsage(world.db, id, { nextTryAt: noon, failures: 1, refused });
    expect(await markUsageTried(world.db, id, noon)).toBe(true);
    await fail(true);
    expect(await pendingOf(customer)).toMatchObject([{ firstTriedAt: null, failures: 1 }]);
    // The response to this one was lost, so Stripe may have the event whatever it says to the next one.
    await markUsageTried(world.db, id, noon);
    await fail(false);
    expect(await markUsageTried(world.db, id, later({ hours: 5 }))).toBe(true);
    expect(await pendingOf(customer)).toMatchObject([{ firstTriedAt: noon }]);
    await fail(true);
    expect(await pendingOf(customer)).toMatchObject([{ firstTriedAt: noon }]);
  });

  test('of usage that failed waits until its next try', async () => {
    const customer = await subscriber();
    const id = await used(customer);
    await deferUsage(world.db, id, { nextTryAt: later({ minutes: 2 }), failures: 1, refused: true });
    expect(await pendingOf(customer, later({ minutes: 1 }))).toEqual([]);
    expect(await pendingOf(customer, later({ minutes: 2 }))).toMatchObject([{ id, failures: 1 }]);
  });

  test('ends once, and by a slow sender also if the usage is held by then', async () => {
    const customer = await subscriber();
    const [sent, held] = [await used(customer), await used(customer)];
    expect(await settleSentUsage(world.db, sent, noon)).toBe(true);
    await holdUsage(world.db, held, noon);
    expect(await settleSentUsage(world.db, held, noon)).toBe(true);
    for (const id of [sent, held]) expect(await holdUsage(world.db, id, noon)).toBe(false);
    expect(await markUsageTried(world.db, sent, noon)).toBe(false);
    expect(await pendingOf(customer)).toEqual([]);
  });

  test('reports usage that was voided in the meantime', async () => {
    const id = await used(await subscriber());
    await markUsageTried(world.db, id, noon);
    await voided(id);
    expect(await settleSentUsage(world.db, id, noon)).toBe(false);
  });
});

describe('the usage of an account', () => {
  test('counts every report that is not void, sent or not', async () => {
    const customer = await subscriber();
    const [sent, held, taken] = [await used(customer), await used(customer), await used(customer)];
    await usedCached(customer);
    await settleSentUsage(world.db, sent, noon);
    await holdUsage(world.db, held, noon);
    await voided(taken);
    expect(await sumUsage(world.db, customer.accountId, ...month)).toEqual({
      freshReports: 2,
      cachedReports: 1,
      usdCents: 750,
    });
  });

  test('counts in the period it occurred in, excluding its end', async () => {
    const customer = await subscriber();
    await used(customer, later({ ms: -1 }, month[0]));
    await used(customer, month[0]);
    await used(customer, later({ ms: -1 }, month[1]));
    await used(customer, month[1]);
    expect(await sumUsage(world.db, customer.accountId, ...month)).toMatchObject({ freshReports: 2 });
  });

  test('excludes other accounts', async () => {
    await used(await subscriber());
    const { accountId } = await subscriber();
    expect(await sumUsage(world.db, accountId, ...month)).toEqual({
      freshReports: 0,
      cachedReports: 0,
      usdCents: 0,
    });
  });
});
