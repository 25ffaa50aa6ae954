import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { saveCustomer, saveSubscription } from '../../../db/billing/subscriptions.js';
import {
  listPendingUsage,
  markUsageTried,
  recordUsage,
  settleUsage,
  sumUsage,
  voidUsage,
} from '../../../db/billing/usage.js';
import { bought, complete } from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

interface Subscriber {
  readonly accountId: string;
  readonly customerId: string;
}

async function subscriber(): Promise<Subscriber> {
  const accountId = await world.openAccount(100_000);
  const customerId = `cus_${accountId}`;
  await saveCustomer(world.db, { accountId, customerId, now: noon });
  const periodStart = new Date(0);
  const subscription = {
    subscriptionId: `sub_${accountId}`,
    customerId,
    status: 'active',
    periodStart,
    periodEnd: later({ hours: 24 * 365 }),
    cancelAtPeriodEnd: false,
  };
  await saveSubscription(world.db, subscription, noon);
  return { accountId, customerId };
}

/**
 * A fresh report, bought on the subscription and delivered. @returns the purchase id, which is the usage id.
 */
async function used({ accountId }: Subscriber, now = noon): Promise<string> {
  const purchaseId = randomUUID();
  const purchase = { accountId, eventId: await world.openEvent(), purchaseId, ...onSubscription(now) };
  const { reportId } = await bought(world.db, purchase, { now });
  await complete(world.db, reportId, 400_000, now);
  return purchaseId;
}

/** A cached report, bought on the subscription. */
async function usedCached({ accountId }: Subscriber, now = noon): Promise<string> {
  const purchaseId = randomUUID();
  const eventId = await world.openEvent();
  const first = await bought(world.db, { accountId: await world.openAccount(1_000), eventId }, { now });
  await complete(world.db, first.reportId, 400_000, now);
  await bought(world.db, { accountId, eventId, purchaseId, ...onSubscription(now) }, { now });
  return purchaseId;
}

function onSubscription(now: Date) {
  return { lane: 'subscription', utcDay: now.toISOString().slice(0, 10) } as const;
}

async function pendingOf({ accountId }: Subscriber) {
  return (await listPendingUsage(world.db, 1_000)).filter(usage => usage.accountId === accountId);
}

const month = [noon, later({ hours: 24 * 30 })] as const;

describe('usage', () => {
  test('is recorded as pending, with its price and customer', async () => {
    const customer = await subscriber();
    const fresh = await used(customer);
    const cached = await usedCached(customer, later({ minutes: 1 }));
    const common = { ...customer, firstTriedAt: null };
    expect(await pendingOf(customer)).toEqual([
      { ...common, id: fresh, amountUsdCents: 300, occurredAt: noon },
      { ...common, id: cached, amountUsdCents: 150, occurredAt: later({ minutes: 1 }) },
    ]);
  });

  test('of a purchase is recorded once, however often it is attempted', async () => {
    const customer = await subscriber();
    const purchaseId = await used(customer);
    const [row] = await world.sql('select report_id from usage_outbox where id = $1', [purchaseId]);
    const report = {
      purchaseId,
      accountId: customer.accountId,
      reportId: row.report_id,
      kind: 'fresh',
    } as const;
    await inParallel(10, () =>
      world.db.transaction().execute(tx => recordUsage(tx, { ...report, now: later({ hours: 1 }) })),
    );
    expect(await pendingOf(customer)).toMatchObject([{ id: purchaseId, occurredAt: noon }]);
  });

  test('of an account without a Stripe customer is not recorded', async () => {
    const accountId = await world.openAccount();
    const report = { purchaseId: randomUUID(), accountId, reportId: 1, kind: 'fresh', now: noon } as const;
    await expect(world.db.transaction().execute(tx => recordUsage(tx, report))).rejects.toThrow();
  });

  test('is listed oldest first, up to the limit', async () => {
    const customer = await subscriber();
    const long = new Date('2000-01-01T00:00:00Z');
    const [second, first] = [await used(customer, later({ ms: 1 }, long)), await used(customer, long)];
    expect((await listPendingUsage(world.db, 2)).map(({ id }) => id)).toEqual([first, second]);
    expect(await listPendingUsage(world.db, 1)).toHaveLength(1);
  });
});

describe('sending', () => {
  test('records the time of the first attempt, which stays', async () => {
    const customer = await subscriber();
    const id = await used(customer);
    expect(await markUsageTried(world.db, id, noon)).toBe(true);
    expect(await markUsageTried(world.db, id, later({ hours: 5 }))).toBe(true);
    expect(await pendingOf(customer)).toMatchObject([{ firstTriedAt: noon }]);
  });

  test.each(['sent', 'held'] as const)('ends once, as %s', async state => {
    const customer = await subscriber();
    const id = await used(customer);
    expect(await settleUsage(world.db, id, state, noon)).toBe(true);
    expect(await settleUsage(world.db, id, 'sent', noon)).toBe(false);
    expect(await markUsageTried(world.db, id, noon)).toBe(false);
    expect(await pendingOf(customer)).toEqual([]);
  });

  test('reports usage that was voided in the meantime', async () => {
    const id = await used(await subscriber());
    await markUsageTried(world.db, id, noon);
    expect(await voidUsage(world.db, id, { reason: 'test', now: noon })).toBe(true);
    expect(await settleUsage(world.db, id, 'sent', noon)).toBe(false);
  });
});

describe('voiding', () => {
  test('usage that was never sent needs no cancellation', async () => {
    const customer = await subscriber();
    const id = await used(customer);
    expect(await voidUsage(world.db, id, { reason: 'test', now: noon })).toBe(false);
    expect(await pendingOf(customer)).toEqual([]);
  });

  test('usage that Stripe may have says so, every time', async () => {
    const id = await used(await subscriber());
    await markUsageTried(world.db, id, noon);
    await settleUsage(world.db, id, 'sent', noon);
    expect(await voidUsage(world.db, id, { reason: 'test', now: noon })).toBe(true);
    expect(await voidUsage(world.db, id, { reason: 'test', now: noon })).toBe(true);
  });

  test('of a purchase without usage does nothing', async () => {
    expect(await voidUsage(world.db, randomUUID(), { reason: 'test', now: noon })).toBe(false);
  });
});

describe('the usage of an account', () => {
  test('counts every report that is not void, sent or not', async () => {
    const customer = await subscriber();
    const [sent, held, voided] = [await used(customer), await used(customer), await used(customer)];
    await usedCached(customer);
    await settleUsage(world.db, sent, 'sent', noon);
    await settleUsage(world.db, held, 'held', noon);
    await voidUsage(world.db, voided, { reason: 'test', now: noon });
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
