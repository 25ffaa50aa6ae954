import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isKnownPayment, openCheckout, saveSessionPayment } from '../../../db/billing/checkouts.js';
import { listOpenCheckouts, markCheckoutAsked } from '../../../db/billing/open-checkouts.js';
import { readOwedCredits } from '../../../db/billing/reverse-purchase.js';
import { packs } from '../../../purchase/billing.js';
import { booksOf, boughtCheckout, fulfil, openedCheckout, stand } from '../support/checkouts.js';
import { refund, sell } from '../support/purchases.js';
import { spendCredits } from '../support/spend-credits.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

describe('a paid checkout', () => {
  test('adds its credits to the account once, even if the event arrives twenty times concurrently and again later', async () => {
    const checkout = await openedCheckout(world);
    const outcomes = await inParallel(20, () => fulfil(world, checkout));
    expect(outcomes.filter(outcome => outcome === 'fulfilled')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['fulfilled', 'fulfilled_before']));
    expect(await fulfil(world, checkout)).toBe('fulfilled_before');
    const moves = ['purchase 500'];
    expect(await booksOf(world, checkout)).toEqual({ balance: 500, taken: 0, owed: 0, moves });
  });

  test.each([
    ['a cent less', { amountCents: 699 }],
    ['a cent more', { amountCents: 701 }],
    ['other money', { currency: 'jpy' }],
  ])('for %s is not fulfilled', async (_what, paid) => {
    const checkout = await openedCheckout(world);
    expect(await fulfil(world, checkout, paid)).toBe('wrong_amount');
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, moves: [] });
    expect(await findingsOf(checkout.sessionId)).toMatchObject([{ kind: 'wrong_amount' }]);
    expect(await fulfil(world, checkout)).toBe('fulfilled');
  });

  test('that this service did not open is another program’s, and leaves no trace', async () => {
    const checkout = await openedCheckout(world);
    expect(await fulfil(world, { ...checkout, sessionId: 'cs_other' })).toBe('foreign');
    expect(await world.sql("select from payment_findings where stripe_session_id = 'cs_other'")).toEqual([]);
  });

  test('whose session was never stored is a finding, once, and is not credited', async () => {
    const accountId = await world.openAccount();
    const checkoutId = randomUUID();
    await openCheckout(world.db, { checkoutId, accountId, pack: packs.starter, now: noon });
    const checkout = { accountId, checkoutId, sessionId: 'cs_unstored', paymentIntentId: 'pi_unstored' };
    await inParallel(5, async () => {
      expect(await fulfil(world, checkout, { checkoutReference: checkoutId })).toBe('unknown_session');
    });
    expect(await findingsOf('cs_unstored')).toEqual([
      { kind: 'unknown_session', checkout_reference: checkoutId, paid_cents: 700, currency: 'usd' },
    ]);
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, moves: [] });
  });
});

const findingsOf = (sessionId: string) =>
  world.sql(
    `select kind, checkout_reference, paid_cents, currency from payment_findings where stripe_session_id = $1`,
    [sessionId],
  );

describe('an open checkout', () => {
  test('is asked about after five minutes, then less and less often, until it is fulfilled', async () => {
    const checkout = await openedCheckout(world);
    const asked: number[] = [];
    for (let minute = 0; minute <= 24 * 60; minute += 5) {
      const now = later({ hours: minute / 60 });
      const due = await listOpenCheckouts(world.db, now, 1_000);
      if (!due.some(({ id }) => id === checkout.checkoutId)) continue;
      asked.push(minute);
      await markCheckoutAsked(world.db, checkout.checkoutId, now);
    }
    expect(asked.slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, n) => (n + 1) * 5));
    expect(asked.length).toBeLessThan(60);
    for (const [n, minute] of asked.entries()) {
      expect(minute - (asked[n - 1] ?? 0)).toBeLessThanOrEqual(minute / 12 + 5);
    }
    await fulfil(world, checkout);
    const due = await listOpenCheckouts(world.db, later({ hours: 48 }), 1_000);
    expect(due.map(({ id }) => id)).not.toContain(checkout.checkoutId);
  });
});

describe('a refund of a payment', () => {
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

  test('of the whole price takes back all credits and never more, and returns them when it fails later', async () => {
    const checkout = await boughtCheckout(world, await world.openAccount(30));
    await stand(world, checkout, { refundedUsdCents: 700 });
    await stand(world, checkout, { refundedUsdCents: 70_000 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 30, taken: 500, owed: 0 });
    await stand(world, checkout, { refundedUsdCents: 0 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 530, taken: 0, owed: 0 });
  });

  test('that arrives twenty times concurrently counts once', async () => {
    const checkout = await boughtCheckout(world);
    await inParallel(20, () => stand(world, checkout, { refundedUsdCents: 350 }));
    expect(await booksOf(world, checkout)).toMatchObject({
      balance: 250,
      moves: ['purchase 500', 'adjustment -250'],
    });
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
  test('are owed, and collected from the next pack, once, however often either event arrives', async () => {
    const checkout = await boughtCheckout(world);
    await spendCredits(world.db, checkout.accountId, 420);
    await stand(world, checkout, { refundedUsdCents: 700 });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 80, owed: 420 });
    expect(await readOwedCredits(world.db, checkout.accountId)).toBe(420);
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
    const purchase = await sell(world, { accountId: checkout.accountId });
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
  test('takes back all credits; winning it returns them, and it can be reopened', async () => {
    const checkout = await boughtCheckout(world);
    await stand(world, checkout, { disputed: true });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
    await stand(world, checkout, { disputed: false });
    const moves = ['purchase 500', 'adjustment -500', 'adjustment 500'];
    expect(await booksOf(world, checkout)).toEqual({ balance: 500, taken: 0, owed: 0, moves });
    for (const disputed of [true, false, true]) await stand(world, checkout, { disputed });
    expect(await booksOf(world, checkout)).toMatchObject({ balance: 0, taken: 500, owed: 0 });
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
});
