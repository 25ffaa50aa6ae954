import { randomUUID } from 'node:crypto';
import {
  fulfilCheckout,
  openCheckout,
  recordPaymentState,
  saveCheckoutSession,
} from '../../../db/billing/checkouts.js';
import { subscribe } from '../../support/service/subscribe.js';
import { bought, complete, purchaseRequest, refund } from './purchases.js';
import { noon, type TestWorld } from './test-world.js';

/** Ids of one row of every kind that the books contain. */
export interface BusyBooks {
  /** The account of the four purchases on the credits lane. */
  readonly buyer: string;
  readonly completed: Sold;
  readonly refunded: Sold;
  readonly inFlight: Sold;
  readonly cached: Sold;
  /** Paid by the weekly grant. */
  readonly granted: Sold;
  /** Paid by a weekly grant, then refunded: its lot holds credits. */
  readonly givenBack: Sold;
  readonly metered: Sold;
  readonly meteredCached: Sold;
  /** A pack that was refunded in part. */
  readonly checkoutId: string;
  readonly payer: string;
}

export interface Sold {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly reportId: number;
}

/** Fills the books with one row of every kind at noon, through the service's own functions. */
export async function fillBooks(world: TestWorld): Promise<BusyBooks> {
  const { db } = world;
  const buyer = await world.openAccount(1_000);
  const subscriber = await world.openAccount();
  const payer = await world.openAccount();
  await subscribe(db, subscriber);
  const completed = await sell(world, { accountId: buyer });
  await complete(db, completed.reportId);
  const refunded = await sell(world, { accountId: buyer });
  await refund(db, refunded);
  const inFlight = await sell(world, { accountId: buyer });
  const cached = await sell(world, { accountId: await world.openAccount(1_000), eventId: completed.eventId });
  const granted = await sell(world, { accountId: await world.openAccount(0, { weeklyGrant: true }) });
  await complete(db, granted.reportId);
  const givenBack = await sell(world, { accountId: await world.openAccount(0, { weeklyGrant: true }) });
  await refund(db, givenBack);
  const metered = await sell(world, { accountId: subscriber, lane: 'subscription' });
  await complete(db, metered.reportId);
  const { eventId } = completed;
  const meteredCached = await sell(world, { accountId: subscriber, eventId, lane: 'subscription' });
  const checkoutId = await payPack(world, payer);
  return {
    buyer,
    completed,
    refunded,
    inFlight,
    cached,
    granted,
    givenBack,
    metered,
    meteredCached,
    checkoutId,
    payer,
  };
}

async function sell(
  world: TestWorld,
  fields: { accountId: string; eventId?: string; lane?: 'subscription' },
): Promise<Sold & { readonly eventId: string }> {
  const purchase = purchaseRequest({ eventId: await world.openEvent(), ...fields });
  const { reportId } = await bought(world.db, purchase);
  return {
    purchaseId: purchase.purchaseId,
    accountId: purchase.accountId,
    eventId: purchase.eventId,
    reportId,
  };
}

async function payPack({ db }: TestWorld, accountId: string): Promise<string> {
  const checkoutId = randomUUID();
  const [sessionId, paymentIntentId] = [`cs_${checkoutId}`, `pi_${checkoutId}`];
  const pack = { id: 'starter', credits: 500, priceUsdCents: 700 } as const;
  await openCheckout(db, { checkoutId, accountId, pack, now: noon });
  await saveCheckoutSession(db, checkoutId, sessionId);
  const paid = {
    sessionId,
    paymentIntentId,
    amountCents: 700,
    currency: 'usd',
    checkoutReference: checkoutId,
  };
  await fulfilCheckout(db, paid, noon);
  await recordPaymentState(db, paymentIntentId, { refundedUsdCents: 70, disputed: false }, noon);
  return checkoutId;
}
