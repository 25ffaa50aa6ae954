import { saveCustomer, saveSubscription } from '../../../db/billing/subscriptions.js';
import { complete, sell } from './purchases.js';
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
    const { purchaseId, reportId } = await sell(world, { accountId, ...onSubscription(now) }, { now });
    await complete(world.db, reportId, 400_000, now);
    return purchaseId;
  }

  /** A cached report, bought on the subscription. */
  async function usedCached({ accountId }: Subscriber, now = noon): Promise<string> {
    const first = await sell(world, {}, { now });
    await complete(world.db, first.reportId, 400_000, now);
    const cached = { accountId, eventId: first.eventId, ...onSubscription(now) };
    const { purchaseId } = await sell(world, cached, { now });
    return purchaseId;
  }
}

export function onSubscription(now: Date) {
  return { lane: 'subscription', utcDay: now.toISOString().slice(0, 10) } as const;
}
