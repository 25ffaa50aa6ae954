import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openCheckout } from '../../../db/billing/checkouts.js';
import { listOpenCheckouts, markCheckoutAsked } from '../../../db/billing/open-checkouts.js';
import { packs } from '../../../purchase/billing.js';
import { booksOf, boughtCheckout, fulfil, openedCheckout } from '../support/checkouts.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

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
