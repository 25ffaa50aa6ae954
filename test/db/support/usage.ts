import { randomUUID } from 'node:crypto';
import { saveCustomer, saveSubscription } from '../../../db/billing/subscriptions.js';
import { bought, complete } from './purchases.js';
import { later, noon, type TestWorld } from './test-world.js';

export interface Subscriber {
  readonly accountId: string;
  readonly customerId: string;
}

/** Accounts with a subscription, and the usage of their reports. */
export function usageOf(world: TestWorld) {
  return { subscriber, used, usedCached };

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
      endsAt: null,
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
}

export function onSubscription(now: Date) {
  return { lane: 'subscription', utcDay: now.toISOString().slice(0, 10) } as const;
}
