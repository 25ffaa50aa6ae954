import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { compareUsage } from '../../../activities/maintenance/compare-usage.js';
import {
  findDueCancellation,
  listDueCancellations,
  recordCancellation,
  reopenCancellation,
  resendUsage,
  settleByOperator,
  voidUsage,
} from '../../../db/billing/usage-corrections.js';
import {
  holdUsage,
  listDueUsage,
  markUsageTried,
  settleSentUsage,
} from '../../../db/billing/usage-sending.js';
import { createUsageProvider, refused } from '../../workflows/support/usage-provider.js';
import { later, noon, today, useTestWorld } from '../support/test-world.js';
import { type Subscriber, usageOf } from '../support/usage.js';

const world = useTestWorld();
const { subscriber, used } = usageOf(world);

async function pendingOf({ accountId }: Subscriber) {
  const everything = { customersMax: 1_000, rowsPerCustomerMax: 1_000 };
  const due = await listDueUsage(world.db, later({ hours: 1 }), everything);
  return due.filter(usage => usage.accountId === accountId);
}

const cancellationOf = async (id: string) =>
  (await world.sql('select cancellation from usage_outbox where id = $1', [id]))[0].cancellation;

const voided = (id: string, now = noon) => voidUsage(world.db, id, { reason: 'test', now });

describe('voiding', () => {
  test('usage that was never sent needs no cancellation', async () => {
    const customer = await subscriber();
    const id = await used(customer);
    expect(await voided(id)).toBeNull();
    expect(await pendingOf(customer)).toEqual([]);
  });

  test('usage that Stripe may have stores that it must be cancelled, with the first reason', async () => {
    const id = await used(await subscriber());
    await markUsageTried(world.db, id, noon);
    await settleSentUsage(world.db, id, noon);
    expect(await voided(id)).toBe('due');
    expect(await voided(id)).toBe('due');
    expect((await listDueCancellations(world.db, noon, 1_000)).map(due => due.id)).toContain(id);
  });

  test('of a purchase without usage does nothing', async () => {
    expect(await voided(randomUUID())).toBeNull();
  });
});

describe('a cancellation', () => {
  async function due() {
    const id = await used(await subscriber());
    await markUsageTried(world.db, id, noon);
    await voided(id);
    return { id, series: 0 };
  }

  test('stays due in the same series when Stripe did not answer, and in the next one when it did', async () => {
    const first = await due();
    const { id } = first;
    await recordCancellation(world.db, first, { confirmed: false, answered: false, now: noon });
    expect(await findDueCancellation(world.db, id)).toEqual(first);
    await recordCancellation(world.db, first, { confirmed: false, answered: true, now: noon });
    expect(await findDueCancellation(world.db, id)).toEqual({ id, series: 1 });
    expect(await recordCancellation(world.db, first, { confirmed: true, now: noon })).toBe('due');
    expect(await recordCancellation(world.db, { id, series: 1 }, { confirmed: true, now: noon })).toBe(
      'done',
    );
  });

  test('waits longer after each failure, and expires a day after the usage was voided', async () => {
    const { id, series } = await due();
    const fail = (now: Date) =>
      recordCancellation(world.db, { id, series }, { confirmed: false, answered: false, now });
    const isListed = async (now: Date) =>
      (await listDueCancellations(world.db, now, 1_000)).some(other => other.id === id);
    expect(await fail(noon)).toBe('due');
    expect([await isListed(later({ seconds: 59 })), await isListed(later({ seconds: 60 }))]).toEqual([
      false,
      true,
    ]);
    expect(await fail(later({ hours: 24, ms: -1 }))).toBe('due');
    expect(await fail(later({ hours: 24 }))).toBe('expired');
    expect(await settleByOperator(world.db, id, { reason: 'credited', now: noon })).toBe(true);
    expect(await cancellationOf(id)).toBe('done');
  });

  test('is due again, in a new series, when the usage was sent after all', async () => {
    const { id, series } = await due();
    await recordCancellation(world.db, { id, series }, { confirmed: true, now: noon });
    await reopenCancellation(world.db, id, noon);
    expect(await findDueCancellation(world.db, id)).toEqual({ id, series: 1 });
  });
});

describe('an operator', () => {
  const reason = 'looked it up';

  test('has held or sent usage sent again, with a new day for safe retries', async () => {
    const customer = await subscriber();
    const [held, sent] = [await used(customer), await used(customer)];
    await holdUsage(world.db, held, noon);
    await settleSentUsage(world.db, sent, noon);
    const again = { reason, now: later({ hours: 1 }) };
    expect(await resendUsage(world.db, { id: held, state: 'sent' }, again)).toBe(false);
    expect(await resendUsage(world.db, { id: held, state: 'held' }, again)).toBe(true);
    expect(await resendUsage(world.db, { id: sent, state: 'sent' }, again)).toBe(true);
    expect(await pendingOf(customer)).toMatchObject([
      { firstTriedAt: later({ hours: 1 }) },
      { firstTriedAt: later({ hours: 1 }) },
    ]);
  });

  test('settles held usage, and nothing else', async () => {
    const customer = await subscriber();
    const [held, pending] = [await used(customer), await used(customer)];
    await holdUsage(world.db, held, noon);
    expect(await settleByOperator(world.db, held, { reason, now: noon })).toBe(true);
    expect(await settleByOperator(world.db, held, { reason, now: noon })).toBe(false);
    expect(await settleByOperator(world.db, pending, { reason, now: noon })).toBe(false);
  });
});

describe('a difference between usage and what Stripe has counted', () => {
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

  test('of usage that Stripe has lost names account, day and both sums; of counted usage there is none', async () => {
    const customer = await subscriber();
    await sent(customer);
    const lost = await sent(customer);
    expect(await differences(customer)).toEqual([]);
    stripe.counted.delete(lost);
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
    const [held, cancelled] = [await used(customer), await sent(customer)];
    await markUsageTried(world.db, held, noon);
    await holdUsage(world.db, held, noon);
    await voided(cancelled);
    expect(await differences(customer)).toEqual([]);
    stripe.counted.delete(cancelled);
    expect(await differences(customer)).toEqual([]);
  });

  test('usage that Stripe bills although its cancellation was confirmed is a difference', async () => {
    const customer = await subscriber();
    const id = await sent(customer);
    await voided(id);
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
});
