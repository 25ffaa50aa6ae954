import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { packs } from '../../../council/purchase/billing.js';
import { openCheckout } from '../../../db/billing/checkouts.js';
import { booksOf, boughtCheckout, fulfil, openedCheckout } from '../support/checkouts.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

describe('a paid checkout', () => {
  test('adds its credits to the account', async () => {
    const checkout = await boughtCheckout(world);
    expect(await booksOf(world, checkout)).toEqual({
      balance: 500,
      taken: 0,
      owed: 0,
      moves: ['purchase 500'],
    });
  });

  test('adds them once, even if the event arrives twenty times concurrently and again later', async () => {
    const checkout = await openedCheckout(world);
    const outcomes = await inParallel(20, () => fulfil(world, checkout));
    expect(outcomes.filter(outcome => outcome === 'fulfilled')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['fulfilled', 'fulfilled_before']));
    expect(await fulfil(world, checkout)).toBe('fulfilled_before');
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 500, moves: ['purchase 500'] });
  });

  test.each([
    ['a cent less', { amountCents: 699 }],
    ['a cent more', { amountCents: 701 }],
    ['other money', { currency: 'jpy' }],
  ])('for %s is not fulfilled', async (_what, paid) => {
    const checkout = await openedCheckout(world);
    expect(await fulfil(world, checkout, paid)).toBe('wrong_amount');
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, moves: [] });
    expect(await fulfil(world, checkout)).toBe('fulfilled');
  });

  test('that this service did not open is unknown', async () => {
    const checkout = await openedCheckout(world);
    expect(await fulfil(world, { ...checkout, sessionId: 'cs_other' })).toBe('unknown');
  });

  test('whose session was never stored is unknown', async () => {
    const accountId = await world.openAccount();
    await openCheckout(world.db, { checkoutId: randomUUID(), accountId, pack: packs.starter, now: noon });
    expect(await fulfil(world, { accountId, checkoutId: '', sessionId: '', paymentIntentId: 'pi' })).toBe(
      'unknown',
    );
  });
});
