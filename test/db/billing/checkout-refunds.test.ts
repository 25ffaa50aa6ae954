import { describe, expect, test } from '@jest/globals';
import { knowsPayment, notePaymentOfSession, owedCredits } from '../../../db/billing/checkouts.js';
import { booksOf, boughtCheckout, fulfil, openedCheckout, stand } from '../support/checkouts.js';
import { inParallel } from '../support/in-parallel.js';
import { spendCredits } from '../support/spend-credits.js';
import { useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

describe('a refund', () => {
  test('of part takes back the credits it paid for, rounded up', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { refundedUsdCents: 1 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 499, taken: 1, owed: 0 });
    await stand(world, checkout, { refundedUsdCents: 350 });
    expect(await booksOf(world, checkout)).toMatchObject({
      balance: 250,
      taken: 250,
      moves: ['purchase 500', 'adjustment -1', 'adjustment -249'],
    });
  });

  test('of all takes all back, and more than all is all', async () => {
    const accountId = await world.openAccount(30);
    const checkout = await boughtCheckout(world, accountId);
    await stand(world, checkout, { refundedUsdCents: 700 });
    await stand(world, checkout, { refundedUsdCents: 70_000 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 30, taken: 500, owed: 0 });
  });

  test('told twenty times at once is one', async () => {
    const checkout = await boughtCheckout(world);
    await inParallel(20, () => stand(world, checkout, { refundedUsdCents: 350 }));
    expect(await booksOf(world, checkout)).toMatchObject({
      balance: 250,
      moves: ['purchase 500', 'adjustment -250'],
    });
  });

  test('that failed after all is given back', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { refundedUsdCents: 700 });
    await stand(world, checkout, { refundedUsdCents: 0 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 500, taken: 0, owed: 0 });
  });

  test('before the fulfilment is remembered, and applied when it comes', async () => {
    const checkout = await openedCheckout(world);
    expect(await knowsPayment(world.db, checkout.paymentIntentId)).toBe(false);
    const { sessionId, paymentIntentId } = checkout;
    expect(await notePaymentOfSession(world.db, sessionId, paymentIntentId)).toBe(true);
    expect(await knowsPayment(world.db, paymentIntentId)).toBe(true);
    await stand(world, checkout, { refundedUsdCents: 350 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 0, owed: 0, moves: [] });
    await fulfil(world, checkout);
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 250, owed: 0 });
  });

  test('at the same time as the fulfilment comes to the same', async () => {
    await inParallel(10, async () => {
      const checkout = await openedCheckout(world);
      await notePaymentOfSession(world.db, checkout.sessionId, checkout.paymentIntentId);
      await Promise.all([
        fulfil(world, checkout),
        stand(world, checkout, { refundedUsdCents: 350 }),
        fulfil(world, checkout),
      ]);
      expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 250, owed: 0 });
    });
  });

  test('of a session of other business is nobody’s', async () => {
    expect(await notePaymentOfSession(world.db, 'cs_other', 'pi_other')).toBe(false);
  });
});

describe('what was spent already', () => {
  test('is owed, in sight, and never taken below zero', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 420);
    await stand(world, checkout, { refundedUsdCents: 700 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 80, owed: 420 });
    expect(await owedCredits(world.db, checkout.accountId)).toBe(420);
  });

  test('stays owed when credits are bought later, and when the same is told again', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 500);
    await stand(world, checkout, { refundedUsdCents: 700 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 0, owed: 500 });
    await boughtCheckout(world, checkout.accountId);
    await stand(world, checkout, { refundedUsdCents: 700 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 500, taken: 0, owed: 500 });
    expect(await owedCredits(world.db, checkout.accountId)).toBe(500);
  });

  test('is another account’s business never', async () => {
    const checkout = await boughtCheckout(world);
    const other = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 500);
    await stand(world, checkout, { disputed: true });
    expect(await owedCredits(world.db, other.accountId)).toBe(0);
    expect(await booksOf(world, other)).toMatchObject({ balance: 500 });
  });
});

describe('a dispute', () => {
  test('takes all back, and a dispute won gives back what was taken', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
    await stand(world, checkout, { disputed: false });
    expect(await booksOf(world, checkout)).toEqual({
      balance: 500,
      taken: 0,
      owed: 0,
      moves: ['purchase 500', 'adjustment -500', 'adjustment 500'],
    });
  });

  test('won gives back no more than was taken, and forgives what was owed', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 420);
    await stand(world, checkout, { disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 80, owed: 420 });
    await stand(world, checkout, { disputed: false });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 80, taken: 0, owed: 0 });
  });

  test('won leaves taken what was refunded', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { refundedUsdCents: 350 });
    await stand(world, checkout, { refundedUsdCents: 350, disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500 });
    await stand(world, checkout, { refundedUsdCents: 350 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 250, owed: 0 });
  });

  test('can be lost, won and begun again', async () => {
    const checkout = await boughtCheckout(world);
    for (const disputed of [true, false, true, false, true]) await stand(world, checkout, { disputed });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
  });
});
