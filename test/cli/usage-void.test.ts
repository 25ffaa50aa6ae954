import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { markUsageTried, settleUsage } from '../../db/billing/usage.js';
import { bought, complete, purchaseRequest } from '../db/support/purchases.js';
import { noon, useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';
import { subscribe } from '../support/service/subscribe.js';
import {
  type StripeStandIn,
  secretKey,
  startStripeStandIn,
  webhookSecret,
} from '../support/stripe/stripe-stand-in.js';

const world = useTestWorld();
let stripe: StripeStandIn;

beforeAll(async () => {
  stripe = await startStripeStandIn();
});
afterAll(() => stripe.close());

const withStripe = () => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_BASE: stripe.url,
});

const take = (id: string, env: Record<string, string> = withStripe()) =>
  council(['usage', 'void', id, '--reason', 'a double click', '--json'], { DATABASE_URL: world.url, ...env });

const stateOf = async (id: string) =>
  (await world.sql('select state from usage_outbox where id = $1', [id]))[0].state;

/** @returns the id of the usage of a delivered report */
async function delivered({ sent }: { sent: boolean }): Promise<string> {
  const { db } = world;
  const accountId = await world.openAccount();
  const customerId = await subscribe(db, accountId);
  const purchase = purchaseRequest({ accountId, eventId: await world.openEvent(), lane: 'subscription' });
  const { reportId } = await bought(db, purchase);
  await complete(db, reportId);
  const identifier = purchase.purchaseId;
  if (sent) {
    await markUsageTried(db, identifier, noon);
    await stripe.gateway().sendUsage({ identifier, customerId, valueUsdCents: 300, occurredAt: new Date() });
    await settleUsage(db, identifier, 'sent', noon);
  }
  return identifier;
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

test.each([randomUUID(), 'nonsense'])('unknown usage (%s) is an error', async id => {
  const { code, err } = await council(['usage', 'void', id, '--reason', 'x'], { DATABASE_URL: world.url });
  expect(code).toBe(1);
  expect(err).toContain(`There is no usage with the id ${id}.`);
});
