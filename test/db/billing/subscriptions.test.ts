import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  findActiveSubscription,
  findCustomer,
  findSubscription,
  saveCustomer,
  saveSubscription,
} from '../../../db/billing/subscriptions.js';
import type { SubscriptionState } from '../../../purchase/billing.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const periodEnd = later({ hours: 24 * 30 });

async function customer() {
  const accountId = await world.openAccount();
  const customerId = `cus_${randomUUID()}`;
  await saveCustomer(world.db, { accountId, customerId, now: noon });
  const subscription = (state: Partial<SubscriptionState> = {}): SubscriptionState => ({
    subscriptionId: `sub_${accountId}`,
    customerId,
    status: 'active',
    periodStart: noon,
    periodEnd,
    cancelAtPeriodEnd: false,
    endsAt: null,
    ...state,
  });
  return { accountId, customerId, subscription };
}

const note = (state: SubscriptionState) => saveSubscription(world.db, state, noon);
const active = (accountId: string, now = noon) => findActiveSubscription(world.db, accountId, now);

describe('a customer', () => {
  test('stays the first, even if two concurrent requests created one each', async () => {
    const accountId = await world.openAccount();
    expect(await findCustomer(world.db, accountId)).toBeNull();
    const ids = await inParallel(10, index =>
      saveCustomer(world.db, { accountId, customerId: `cus_${accountId}_${index}`, now: noon }),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await findCustomer(world.db, accountId)).toBe(ids[0]);
  });
});

describe('a subscription', () => {
  test('is what Stripe returned last', async () => {
    const { accountId, subscription } = await customer();
    expect(await findSubscription(world.db, accountId)).toBeNull();
    expect(await note(subscription())).toEqual({ outcome: 'noted' });
    expect(await findSubscription(world.db, accountId)).toEqual(subscription());
    const renewed = subscription({ periodStart: periodEnd, periodEnd: later({ hours: 1 }, periodEnd) });
    await note(renewed);
    expect(await findSubscription(world.db, accountId)).toEqual(renewed);
  });

  test('of an unknown customer is ignored, and one account’s does not affect another', async () => {
    const [{ subscription }, other] = [await customer(), await customer()];
    expect(await note(subscription({ customerId: 'cus_none' }))).toEqual({ outcome: 'unknown_customer' });
    await note(subscription());
    expect(await active(other.accountId)).toBeNull();
    expect(await findSubscription(world.db, other.accountId)).toBeNull();
  });

  test.each([
    ['active', true],
    ['trialing', true],
    ['past_due', false],
    ['unpaid', false],
    ['paused', false],
    ['canceled', false],
    ['incomplete', false],
    ['incomplete_expired', false],
    ['something_new', false],
  ])('that is %s pays: %p', async (status, pays) => {
    const { accountId, subscription } = await customer();
    await note(subscription({ status }));
    expect(await active(accountId)).toEqual(pays ? subscription({ status }) : null);
  });

  test('that renews pays until an hour after its period', async () => {
    const { accountId, subscription } = await customer();
    await note(subscription());
    expect(await active(accountId, periodEnd)).not.toBeNull();
    expect(await active(accountId, later({ minutes: 60, ms: -1 }, periodEnd))).not.toBeNull();
    expect(await active(accountId, later({ minutes: 60 }, periodEnd))).toBeNull();
  });

  test.each([
    ['at the end of its period', periodEnd],
    ['within its period', later({ hours: 1 })],
  ])('that is cancelled %s pays until then', async (_, endsAt) => {
    const { accountId, subscription } = await customer();
    await note(subscription({ cancelAtPeriodEnd: true, endsAt }));
    expect(await active(accountId, later({ ms: -1 }, endsAt))).not.toBeNull();
    expect(await active(accountId, endsAt)).toBeNull();
  });

  test('that ended is replaced by the next and does not return', async () => {
    const { accountId, subscription } = await customer();
    await note(subscription({ status: 'canceled' }));
    const next = subscription({ subscriptionId: `sub_next_${accountId}` });
    expect(await note(next)).toEqual({ outcome: 'noted' });
    expect(await note(subscription({ status: 'canceled' }))).toEqual({ outcome: 'over_before' });
    expect(await active(accountId)).toEqual(next);
  });

  test('is unique when ten start concurrently, and not replaced by another while it is live', async () => {
    const { accountId, subscription } = await customer();
    const noted = await inParallel(10, index =>
      note(subscription({ subscriptionId: `sub_${accountId}_${index}` })),
    );
    expect(noted.filter(({ outcome }) => outcome === 'noted')).toHaveLength(1);
    expect(noted.filter(({ outcome }) => outcome === 'another_is_live')).toHaveLength(9);
    const live = await active(accountId);
    expect(await note(subscription({ subscriptionId: 'sub_second' }))).toEqual({
      outcome: 'another_is_live',
      subscriptionId: live?.subscriptionId,
    });
    expect(await active(accountId)).toEqual(live);
  });
});
