import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { holdUsage, markUsageTried, settleSentUsage } from '../../db/billing/usage-sending.js';
import { bought, complete, purchaseRequest } from '../db/support/purchases.js';
import { useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';
import { subscribe } from '../support/service/subscribe.js';
import { secretKey, startStripeStandIn, webhookSecret } from '../support/stripe/stripe-stand-in.js';

const world = useTestWorld();
const stripe = await startStripeStandIn();
afterAll(() => stripe.close());
// The first subscription creates the meter.
const back = { successUrl: 'https://a.test', cancelUrl: 'https://a.test' };
await stripe.gateway().createSubscriptionCheckout({ customerId: 'cus_first', ...back });

/** In the middle of a minute. */
const twoDaysAgo = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 2 * 24 * 3_600_000 + 30_000);

const withStripe = () => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_BASE: stripe.url,
});

const operator = (command: 'send' | 'settle', id: string) =>
  council(['usage', command, id, '--reason', 'looked it up', '--json'], {
    DATABASE_URL: world.url,
    ...withStripe(),
  });

const take = (id: string, env: Record<string, string> = withStripe()) =>
  council(['usage', 'void', id, '--reason', 'a double click', '--json'], { DATABASE_URL: world.url, ...env });

const stateOf = async (id: string) =>
  (await world.sql('select state from usage_outbox where id = $1', [id]))[0].state;

const subscriber = async () => {
  const accountId = await world.openAccount();
  return { accountId, customerId: await subscribe(world.db, accountId) };
};

/** @returns the id of the usage of a report that was bought two days ago */
async function used({ accountId }: { accountId: string }): Promise<string> {
  const { db } = world;
  const utcDay = twoDaysAgo.toISOString().slice(0, 10);
  const eventId = await world.openEvent();
  const purchase = purchaseRequest({ accountId, eventId, utcDay, lane: 'subscription' });
  const { reportId } = await bought(db, purchase, { now: twoDaysAgo });
  await complete(db, reportId, 0, twoDaysAgo);
  return purchase.purchaseId;
}

const count = (identifier: string, customerId: string) =>
  stripe.gateway().sendUsage({ identifier, customerId, valueUsdCents: 300, occurredAt: twoDaysAgo });

/** @returns the id of the usage of a delivered report */
async function delivered({ sent }: { sent: boolean }): Promise<string> {
  const customer = await subscriber();
  const id = await used(customer);
  if (sent) {
    await markUsageTried(world.db, id, twoDaysAgo);
    await count(id, customer.customerId);
    await settleSentUsage(world.db, id, twoDaysAgo);
  }
  return id;
}

const cancellations = () => stripe.requests.filter(({ line }) => line.includes('adjustments')).length;

test('usage that was not sent is voided without a request to Stripe', async () => {
  const id = await delivered({ sent: false });
  const { code, out } = await take(id);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ usage_id: id, was: 'pending', cancelled_at_stripe: null });
  expect(await stateOf(id)).toBe('void');
  expect(cancellations()).toBe(0);
});

test('usage that was sent is cancelled at Stripe as well', async () => {
  const id = await delivered({ sent: true });
  const { code, out } = await take(id);
  expect(JSON.parse(out)).toMatchObject({ was: 'sent', reason: 'a double click', cancelled_at_stripe: true });
  expect(code).toBe(0);
  expect(await stateOf(id)).toBe('void');
  expect(cancellations()).toBe(1);
});

test('when Stripe cannot be reached, it says so, exits with 1, and can be repeated', async () => {
  const id = await delivered({ sent: true });
  const unconfigured = await take(id, {});
  expect(unconfigured.code).toBe(1);
  expect(JSON.parse(unconfigured.out).trouble).toContain('STRIPE_SECRET_KEY');
  stripe.fault = 'down';
  const away = await take(id);
  stripe.fault = null;
  expect(away.code).toBe(1);
  expect(JSON.parse(away.out)).toMatchObject({ was: 'void', cancelled_at_stripe: false });
  expect((await take(id)).code).toBe(0);
});

test('a failure that Stripe has recorded does not prevent a later cancellation', async () => {
  const id = await delivered({ sent: true });
  stripe.fault = 500;
  expect((await take(id)).code).toBe(1);
  stripe.fault = null;
  expect((await take(id)).code).toBe(0);
  expect(stripe.books.meterEvents.get(id)).toMatchObject({ cancelled: true });
});

describe('usage that an operator has to look at', () => {
  async function held(customer: { accountId: string }): Promise<string> {
    const id = await used(customer);
    await markUsageTried(world.db, id, twoDaysAgo);
    await holdUsage(world.db, id, twoDaysAgo);
    return id;
  }

  test('is sent again when Stripe has not counted it', async () => {
    const id = await held(await subscriber());
    const { code, out } = await operator('send', id);
    expect([code, JSON.parse(out)]).toMatchObject([0, { was: 'held', counted_at_stripe: false }]);
    expect(await stateOf(id)).toBe('pending');
  });

  test('is settled, and not sent, when Stripe has counted it', async () => {
    const customer = await subscriber();
    const id = await held(customer);
    await count(id, customer.customerId);
    const { code, out } = await operator('send', id);
    expect([code, JSON.parse(out)]).toMatchObject([0, { was: 'held', counted_at_stripe: true }]);
    expect(await stateOf(id)).toBe('sent');
  });

  test('is left alone when the sums of Stripe do not tell', async () => {
    const customer = await subscriber();
    const [id, other] = [await held(customer), await held(customer)];
    await count(other, customer.customerId);
    const { code, out } = await operator('send', id);
    expect([code, JSON.parse(out).error.detail]).toEqual([1, expect.stringContaining('cannot be told')]);
    expect(await stateOf(id)).toBe('held');
    expect((await operator('settle', other)).code).toBe(0);
    expect(await stateOf(other)).toBe('sent');
  });

  test('is sent again when it was sent, but Stripe has lost it', async () => {
    const id = await delivered({ sent: true });
    stripe.books.meterEvents.delete(id);
    expect((await operator('send', id)).code).toBe(0);
    expect(await stateOf(id)).toBe('pending');
  });

  test('is not settled while it waits to be sent', async () => {
    const id = await delivered({ sent: false });
    expect((await operator('settle', id)).code).toBe(1);
    expect(await stateOf(id)).toBe('pending');
  });
});

test.each([randomUUID(), 'nonsense'])('unknown usage (%s) is an error', async id => {
  const { code, err } = await council(['usage', 'void', id, '--reason', 'x'], { DATABASE_URL: world.url });
  expect(code).toBe(1);
  expect(err).toContain(`There is no usage with the id ${id}.`);
});
