import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creditsRefunded, packIds, packs } from '../../council/packs.js';

describe('the packs', () => {
  test('hold whole credits at whole cents, at 0.010 to 0.014 USD a credit, less the more one buys', () => {
    const all = packIds.map(id => packs[id]);
    for (const { credits, priceUsdCents } of all) {
      expect(Number.isInteger(credits) && Number.isInteger(priceUsdCents)).toBe(true);
      expect(priceUsdCents * 10).toBeGreaterThanOrEqual(credits * 10);
      expect(priceUsdCents * 10).toBeLessThanOrEqual(credits * 14);
    }
    const prices = all.map(({ credits, priceUsdCents }) => priceUsdCents / credits);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
  });

  test('are found by the id they say', () => {
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

  test('are the smallest number worth no less than the refund, and never more than were bought', () => {
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
