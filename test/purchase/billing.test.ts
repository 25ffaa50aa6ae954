import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  creditsRefunded,
  isLive,
  packIds,
  packs,
  subscriptionObstacle,
  usageFate,
} from '../../purchase/billing.js';
import { subscriptionUnpaidUsdCentsMax } from '../../purchase/limits.js';

const now = new Date('2031-03-05T12:00:00Z');
const hour = 3_600_000;
const ago = (ms: number) => new Date(now.getTime() - ms);

describe('the packs', () => {
  test('cost 0.010 to 0.014 USD per credit, less in larger packs', () => {
    const all = packIds.map(id => packs[id]);
    for (const { credits, priceUsdCents } of all) {
      expect(Number.isInteger(credits) && Number.isInteger(priceUsdCents)).toBe(true);
      expect(priceUsdCents * 10).toBeGreaterThanOrEqual(credits * 10);
      expect(priceUsdCents * 10).toBeLessThanOrEqual(credits * 14);
    }
    const prices = all.map(({ credits, priceUsdCents }) => priceUsdCents / credits);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
  });

  test('are keyed by their id', () => {
    for (const id of packIds) expect(packs[id].id).toBe(id);
  });
});

describe('the credits that a refund takes back', () => {
  test.each([
    [0, 0],
    [1, 1],
    [7, 5],
    [8, 6],
    [350, 250],
    [699, 500],
    [700, 500],
  ])('of %i of 700 cents for 500 credits are %i', (refunded, credits) => {
    expect(creditsRefunded(packs.starter, refunded)).toBe(credits);
  });

  test('are the smallest number worth at least the refund, and at most the number bought', () => {
    const amount = fc.integer({ min: 1, max: 2_000_000_000 });
    fc.assert(
      fc.property(amount, amount, fc.double({ min: 0, max: 1, noNaN: true }), (credits, price, share) => {
        const refunded = Math.floor(price * share);
        const back = BigInt(creditsRefunded({ credits, priceUsdCents: price }, refunded));
        const worth = (count: bigint) => count * BigInt(price);
        const money = BigInt(refunded) * BigInt(credits);
        expect(worth(back) >= money && (back === 0n || worth(back - 1n) < money)).toBe(true);
        expect(back <= BigInt(credits)).toBe(true);
      }),
    );
  });
});

describe('a subscription pays for a report', () => {
  const active = {
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    status: 'active',
    periodStart: new Date('2031-03-01'),
    periodEnd: new Date('2031-04-01'),
    cancelAtPeriodEnd: false,
    endsAt: null,
  };
  const good = {
    subscription: active,
    hasOpenAlert: false,
    unpaidUsdCents: subscriptionUnpaidUsdCentsMax - 1,
  };

  test.each([
    ['while nothing is wrong', good, null],
    ['not without one', { ...good, subscription: null, hasOpenAlert: true }, 'subscription'],
    ['not after it ended', { ...good, subscription: { ...active, status: 'canceled' } }, 'subscription'],
    ['not while a bank objects to a payment', { ...good, hasOpenAlert: true }, 'settled_payment'],
    [
      'not at the limit of unpaid usage',
      { ...good, unpaidUsdCents: subscriptionUnpaidUsdCentsMax },
      'paid_invoice',
    ],
  ])('%s', (_when, standing, missing) => {
    expect(subscriptionObstacle(standing, now)?.missing ?? null).toBe(missing);
  });
});

test.each([
  ['active', true],
  ['trialing', true],
  ['past_due', true],
  ['unpaid', true],
  ['paused', true],
  ['something_new', true],
  ['incomplete', false],
  ['incomplete_expired', false],
  ['canceled', false],
])('a subscription with status %s is live: %p', (status, live) => {
  expect(isLive({ status })).toBe(live);
});

describe('usage is', () => {
  test.each<[string, Parameters<typeof usageFate>[0], ReturnType<typeof usageFate>]>([
    ['sent at once', { occurredAt: now, firstTriedAt: null }, 'send'],
    [
      'sent to the last moment at which its id still counts once',
      { occurredAt: ago(30 * hour), firstTriedAt: ago(23 * hour) },
      'send',
    ],
    [
      'sent to the last moment at which it is taken',
      { occurredAt: ago(34 * 24 * hour), firstTriedAt: null },
      'send',
    ],
    [
      'held for an operator when sending it again might bill it twice',
      { occurredAt: ago(30 * hour), firstTriedAt: ago(23 * hour + 1) },
      'hold',
    ],
    [
      'held for an operator when it is too old to be taken',
      { occurredAt: ago(34 * 24 * hour + 1), firstTriedAt: null },
      'hold',
    ],
  ])('%s', (_, usage, fate) => {
    expect(usageFate(usage, now)).toBe(fate);
  });
});
