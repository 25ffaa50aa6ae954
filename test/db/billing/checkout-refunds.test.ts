import { describe, expect, test } from '@jest/globals';
import { isKnownPayment, saveSessionPayment } from '../../../db/billing/checkouts.js';
import { readOwedCredits } from '../../../db/billing/reverse-purchase.js';
import { booksOf, boughtCheckout, fulfil, openedCheckout, stand } from '../support/checkouts.js';
import { bought, purchaseRequest, refund } from '../support/purchases.js';
import { spendCredits } from '../support/spend-credits.js';
import { inParallel, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

describe('a refund', () => {
  test('of a part takes back the credits it paid for, rounded up', async () => {
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

  test('of the whole price takes back all credits, and never more', async () => {
    const accountId = await world.openAccount(30);
    const checkout = await boughtCheckout(world, accountId);
    await stand(world, checkout, { refundedUsdCents: 700 });
    await stand(world, checkout, { refundedUsdCents: 70_000 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 30, taken: 500, owed: 0 });
  });

  test('that arrives twenty times concurrently counts once', async () => {
    const checkout = await boughtCheckout(world);
    await inParallel(20, () => stand(world, checkout, { refundedUsdCents: 350 }));
    expect(await booksOf(world, checkout)).toMatchObject({
      balance: 250,
      moves: ['purchase 500', 'adjustment -250'],
    });
  });

  test('that failed later returns the credits', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { refundedUsdCents: 700 });
    await stand(world, checkout, { refundedUsdCents: 0 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 500, taken: 0, owed: 0 });
  });

  test('before fulfilment is stored and applied at fulfilment', async () => {
    const checkout = await openedCheckout(world);
    expect(await isKnownPayment(world.db, checkout.paymentIntentId)).toBe(false);
    const { sessionId, paymentIntentId } = checkout;
    expect(await saveSessionPayment(world.db, sessionId, paymentIntentId)).toBe(true);
    expect(await isKnownPayment(world.db, paymentIntentId)).toBe(true);
    await stand(world, checkout, { refundedUsdCents: 350 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 0, owed: 0, moves: [] });
    await fulfil(world, checkout);
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 250, owed: 0 });
  });

  test('concurrent with fulfilment has the same result', async () => {
    await inParallel(10, async () => {
      const checkout = await openedCheckout(world);
      await saveSessionPayment(world.db, checkout.sessionId, checkout.paymentIntentId);
      await Promise.all([
        fulfil(world, checkout),
        stand(world, checkout, { refundedUsdCents: 350 }),
        fulfil(world, checkout),
      ]);
      expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 250, owed: 0 });
    });
  });

  test('of an unknown session is ignored', async () => {
    expect(await saveSessionPayment(world.db, 'cs_other', 'pi_other')).toBe(false);
  });
});

const collections = (checkoutId: string) =>
  world.sql(
    `select operation_key, reason from ledger_transfers
     where starts_with(operation_key, $1) and reason <> 'payment refunded or disputed'`,
    [`purchase/${checkoutId}/adjustment/`],
  );

describe('credits that were already spent', () => {
  test('are recorded as owed, and the balance stays at zero', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 420);
    await stand(world, checkout, { refundedUsdCents: 700 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 80, owed: 420 });
    expect(await readOwedCredits(world.db, checkout.accountId)).toBe(420);
  });

  test('are collected from the next pack, once, however often either event arrives', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 420);
    await stand(world, checkout, { refundedUsdCents: 700 });
    const next = await openedCheckout(world, checkout.accountId);
    await inParallel(10, () => fulfil(world, next));
    await inParallel(5, () => stand(world, checkout, { refundedUsdCents: 700 }));
    expect(await booksOf(world, checkout)).toEqual({
      balance: 80,
      taken: 500,
      owed: 0,
      moves: ['purchase 500', 'adjustment -420', 'adjustment -80', 'purchase 500', 'adjustment -420'],
    });
    expect(await booksOf(world, next)).toMatchObject({ taken: 0, owed: 0 });
    expect(await collections(checkout.checkoutId)).toEqual([
      { operation_key: `purchase/${checkout.checkoutId}/adjustment/2`, reason: 'owed credits collected' },
    ]);
  });

  test('are collected from several packs, for the oldest payment first', async () => {
    const first = await boughtCheckout(world);
    const second = await boughtCheckout(world, first.accountId);
    const third = await boughtCheckout(world, first.accountId);
    await spendCredits(world.db, first.accountId, 1_500);
    for (const each of [third, second, first]) await stand(world, each, { disputed: true });
    expect(await readOwedCredits(world.db, first.accountId)).toBe(1_500);
    for (const paid of [500, 1_000]) {
      await boughtCheckout(world, first.accountId);
      expect(await readOwedCredits(world.db, first.accountId)).toBe(1_500 - paid);
    }
    expect(await booksOf(world, third)).toMatchObject({ balance: 0, taken: 0, owed: 500 });
  });

  test('are collected from the refund of a run that was paid with them', async () => {
    const checkout = await boughtCheckout(world);
    const { accountId } = checkout;
    const purchase = purchaseRequest({ accountId, eventId: await world.openEvent() });
    await bought(world.db, purchase);
    await stand(world, checkout, { disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 380, owed: 120 });
    await refund(world.db, purchase);
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
  });

  test('never affect another account', async () => {
    const checkout = await boughtCheckout(world);
    const other = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 500);
    await stand(world, checkout, { disputed: true });
    expect(await readOwedCredits(world.db, other.accountId)).toBe(0);
    expect(await booksOf(world, other)).toMatchObject({ balance: 500 });
  });
});

describe('a dispute', () => {
  test('takes back all credits; winning it returns them', async () => {
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

  test('that is won returns only what was taken and cancels what was owed', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 420);
    await stand(world, checkout, { disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 80, owed: 420 });
    await stand(world, checkout, { disputed: false });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 80, taken: 0, owed: 0 });
  });

  test('that is won after its credits were collected returns them exactly, and other debts keep their part', async () => {
    const checkout = await boughtCheckout(world);
    const other = await boughtCheckout(world, checkout.accountId);
    await spendCredits(world.db, checkout.accountId, 1_000);
    await stand(world, checkout, { disputed: true });
    await stand(world, other, { refundedUsdCents: 350 });
    await boughtCheckout(world, checkout.accountId);
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
    expect(await readOwedCredits(world.db, checkout.accountId)).toBe(250);
    await stand(world, checkout, { disputed: false });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 0, owed: 0 });
    expect(await booksOf(world, other)).toMatchObject({ taken: 250, owed: 0 });
  });

  test('that is won does not return refunded credits', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { refundedUsdCents: 350 });
    await stand(world, checkout, { refundedUsdCents: 350, disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500 });
    await stand(world, checkout, { refundedUsdCents: 350 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 250, taken: 250, owed: 0 });
  });

  test('can be lost, won and reopened', async () => {
    const checkout = await boughtCheckout(world);
    for (const disputed of [true, false, true, false, true]) await stand(world, checkout, { disputed });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
  });
});
