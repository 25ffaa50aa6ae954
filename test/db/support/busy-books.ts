import { recordPaymentState } from '../../../db/billing/checkouts.js';
import { subscribe } from '../../support/service/subscribe.js';
import { boughtCheckout } from './checkouts.js';
import { complete, refund, sell } from './purchases.js';
import { noon, type TestWorld } from './test-world.js';

export type BusyBooks = Awaited<ReturnType<typeof fillBooks>>;

/** Fills the books with one row of every kind at noon, through the service's own functions. */
export async function fillBooks(world: TestWorld) {
  const { db } = world;
  const grantee = () => world.openAccount(0, { weeklyGrant: true });
  const buyer = await world.openAccount(1_000);
  const subscriber = await world.openAccount();
  await subscribe(db, subscriber);
  const onSubscription = { accountId: subscriber, lane: 'subscription' } as const;
  const completed = await sell(world, { accountId: buyer });
  await complete(db, completed.reportId);
  const refunded = await sell(world, { accountId: buyer });
  await refund(db, refunded);
  const inFlight = await sell(world, { accountId: buyer });
  const { eventId } = completed;
  const cached = await sell(world, { eventId });
  /** Paid by a weekly grant. */
  const granted = await sell(world, { accountId: await grantee() });
  await complete(db, granted.reportId);
  /** Paid by a weekly grant, then refunded: its lot holds credits. */
  const givenBack = await sell(world, { accountId: await grantee() });
  await refund(db, givenBack);
  const metered = await sell(world, onSubscription);
  await complete(db, metered.reportId);
  const meteredCached = await sell(world, { ...onSubscription, eventId });
  /** Refunded in part. */
  const pack = await boughtCheckout(world);
  await recordPaymentState(db, pack.paymentIntentId, { refundedUsdCents: 70, disputed: false }, noon);
  const sold = { completed, refunded, inFlight, cached, granted, givenBack, metered, meteredCached };
  return { ...sold, buyer, checkoutId: pack.checkoutId, payer: pack.accountId };
}
