import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { compareUsage } from '../../../activities/maintenance/compare-usage.js';
import { recordCancellation, voidUsage } from '../../../db/billing/usage-corrections.js';
import { holdUsage, markUsageTried, settleSentUsage } from '../../../db/billing/usage-sending.js';
import { createUsageProvider, refused } from '../../workflows/support/usage-provider.js';
import { later, noon, today, useTestWorld } from '../support/test-world.js';
import { type Subscriber, usageOf } from '../support/usage.js';

const world = useTestWorld();
const { subscriber, used } = usageOf(world);
const stripe = createUsageProvider();

/** The differences of one account, two days after noon. */
async function differences(
  { accountId }: Subscriber,
  now = later({ hours: 48 }),
): Promise<readonly string[]> {
  const logged: string[] = [];
  const log = pino({}, { write: line => void logged.push(JSON.parse(line).msg) });
  const { next } = await compareUsage({ db: world.db, payments: stripe.sender, now: () => now, log }, null);
  expect(next).toBeNull();
  return logged.filter(text => text.includes(accountId));
}

/** Usage that was sent, and counted. */
async function sent(customer: Subscriber, settledAt = noon): Promise<string> {
  const id = await used(customer);
  await markUsageTried(world.db, id, noon);
  const { customerId } = customer;
  await stripe.sender.sendUsage({ identifier: id, customerId, valueUsdCents: 300, occurredAt: noon });
  await settleSentUsage(world.db, id, settledAt);
  return id;
}

const take = (id: string, now = noon) => voidUsage(world.db, id, { reason: 'test', now });

test('usage that was sent and counted is no difference', async () => {
  const customer = await subscriber();
  await sent(customer);
  await sent(customer);
  expect(await differences(customer)).toEqual([]);
});

test('usage that Stripe has lost is named with account, day and both sums', async () => {
  const customer = await subscriber();
  await sent(customer);
  stripe.counted.delete(await sent(customer));
  expect(await differences(customer)).toEqual([
    `account ${customer.accountId} used 6.00 USD on ${today}, but Stripe has counted 3.00 USD for customer ${customer.customerId}`,
  ]);
});

test('usage of the last hours is left out, and so is usage that was settled in them', async () => {
  const customer = await subscriber();
  stripe.counted.delete(await sent(customer, later({ hours: 43 })));
  expect(await differences(customer, later({ hours: 17 }))).toEqual([]);
  expect(await differences(customer)).toEqual([]);
  expect(await differences(customer, later({ hours: 50 }))).toHaveLength(1);
});

test('held usage and usage whose cancellation is due may be counted or not', async () => {
  const customer = await subscriber();
  const [held, voided] = [await used(customer), await sent(customer)];
  await markUsageTried(world.db, held, noon);
  await holdUsage(world.db, held, noon);
  await take(voided);
  expect(await differences(customer)).toEqual([]);
  stripe.counted.delete(voided);
  expect(await differences(customer)).toEqual([]);
});

test('usage that Stripe bills although its cancellation was confirmed is a difference', async () => {
  const customer = await subscriber();
  const id = await sent(customer);
  await take(id);
  await recordCancellation(world.db, { id, series: 0 }, { confirmed: true, now: noon });
  expect(await differences(customer)).toEqual([expect.stringContaining('used 0.00 USD')]);
});

test('a customer that Stripe does not know is a difference; an outage fails', async () => {
  const customer = await subscriber();
  await sent(customer);
  const { readUsage } = stripe.sender;
  Object.assign(stripe.sender, { readUsage: () => Promise.reject(refused()) });
  expect(await differences(customer)).toEqual([expect.stringContaining('does not report the usage')]);
  Object.assign(stripe.sender, { readUsage: () => Promise.reject(new Error('outage')) });
  await expect(differences(customer)).rejects.toThrow('outage');
  Object.assign(stripe.sender, { readUsage });
});
