import { describe, expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import type { AllowedOutcome } from '../../../purchase/purchase.js';
import { bought, buy, complete, refund, sell } from '../support/purchases.js';
import { countRows, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

const buyer = async (credits = 1_000) => ({
  accountId: await world.openAccount(credits),
  eventId: await world.openEvent(),
});

/** An event with a completed report of another account. */
const shared = async () => {
  const { eventId, reportId } = await sell(world);
  await complete(world.db, reportId);
  return { eventId, reportId };
};

const setPrice = async (freshCredits: number, simulated = true) => {
  const { reportId } = await sell(world, {}, { simulated });
  await world.sql(
    `insert into quotes (report_id, fresh_credits, estimate_usd_micros, simulated, created_at, window_began_at,
       window_credits, cost_usd_micros)
     values ($1, $2, 400000, $3, now(), now(), $2, 400000)`,
    [reportId, freshCredits, simulated],
  );
};

describe('a fresh report at 100 credits', () => {
  test.each([
    [null, 100],
    [87, 87],
    [117, 100],
    [118, null],
    [86, null],
  ])('quoted at %p is charged %p, and a refusal writes no row', async (quotedCredits, charged) => {
    await setPrice(100);
    const purchase = { ...(await buyer()), quotedCredits };
    const before = await countRows(world);
    const outcome = await buy(world.db, purchase);
    if (charged === null) {
      expect(outcome).toMatchObject({ refused: 'quote_expired', data: { cost_credits: 100 } });
      expect(await countRows(world)).toEqual(before);
    } else {
      expect(outcome).toMatchObject({ kind: 'fresh', creditsSpent: charged });
    }
    expect(await balance(purchase.accountId)).toBe(1_000 - (charged ?? 0));
  });

  test('is refused with one credit less, with price and balance and no row, and takes the last credit', async () => {
    await setPrice(100);
    const [poor, exact] = [await buyer(99), await buyer(100)];
    const before = await countRows(world);
    expect(await buy(world.db, poor)).toMatchObject({
      refused: 'insufficient_credits',
      data: { cost_credits: 100, balance_credits: 99 },
    });
    expect(await countRows(world)).toEqual(before);
    await bought(world.db, exact);
    expect(await balance(exact.accountId)).toBe(0);
  });
});

describe('a report that another account has bought', () => {
  test('is sold as cached at half its price, rounded up, without another run', async () => {
    const { eventId, reportId } = await shared();
    await setPrice(101);
    const accountId = await world.openAccount(1_000);
    expect(await bought(world.db, { accountId, eventId })).toEqual({
      kind: 'cached',
      reportId,
      status: 'completed',
      creditsSpent: 51,
      lane: 'credits',
      pool: 'purchased',
      replayed: false,
    });
    expect(await balance(accountId)).toBe(949);
  });

  test('is then owned by its buyer only', async () => {
    const { eventId } = await shared();
    await setPrice(100);
    const [first, second] = [await world.openAccount(1_000), await world.openAccount(1_000)];
    await bought(world.db, { accountId: first, eventId });
    expect(await bought(world.db, { accountId: first, eventId })).toMatchObject({ kind: 'owned' });
    expect(await bought(world.db, { accountId: second, eventId })).toMatchObject({ kind: 'cached' });
  });

  test('is checked against the quote of the cached price', async () => {
    const { eventId } = await shared();
    await setPrice(100);
    const accountId = await world.openAccount(1_000);
    expect(await buy(world.db, { accountId, eventId, quotedCredits: 100 })).toMatchObject({
      refused: 'quote_expired',
      data: { cost_credits: 50 },
    });
    expect(await bought(world.db, { accountId, eventId, quotedCredits: 44 })).toMatchObject({
      creditsSpent: 44,
    });
  });

  test('is neither cached nor owned if it failed', async () => {
    const { purchaseId, ...lost } = await sell(world);
    await refund(world.db, { ...lost, purchaseId });
    const { accountId, eventId } = lost;
    expect(await bought(world.db, { accountId, eventId })).toMatchObject({ kind: 'fresh' });
    expect(await sell(world, { eventId })).toMatchObject({ kind: 'fresh' });
  });
});

describe('simulated and live reports never mix', () => {
  test('neither as cached nor as owned reports', async () => {
    const purchase = await buyer(2_000);
    const simulated = await bought(world.db, purchase, { simulated: true });
    await complete(world.db, simulated.reportId);
    const live = await bought(world.db, purchase, { simulated: false });
    expect([live.kind, live.reportId === simulated.reportId]).toEqual(['fresh', false]);
    const other = { ...purchase, accountId: await world.openAccount(2_000) };
    expect(await bought(world.db, other, { simulated: false })).toMatchObject({ kind: 'fresh' });
    expect(await bought(world.db, other, { simulated: true })).toMatchObject({ kind: 'cached' });
  });

  test('nor in their price', async () => {
    await setPrice(200, true);
    expect(await bought(world.db, await buyer(), { simulated: true })).toMatchObject({ creditsSpent: 200 });
    expect(await bought(world.db, await buyer(), { simulated: false })).toMatchObject({ creditsSpent: 120 });
  });
});

describe('a purchase that may not start a run starts none', () => {
  test.each<AllowedOutcome>(['owned', 'existing'])(
    '%s asks for one, and writes nothing',
    async allowedOutcome => {
      const purchase = await buyer();
      const before = await countRows(world);
      expect(await buy(world.db, purchase, { allowedOutcome })).toBe('fresh_needed');
      expect(await countRows(world)).toEqual(before);
    },
  );

  test('`existing` sells a cached report, which `owned` returns then and not before', async () => {
    const { eventId } = await shared();
    const purchase = { accountId: await world.openAccount(1_000), eventId };
    const buyOf = (allowedOutcome: AllowedOutcome) => buy(world.db, purchase, { allowedOutcome });
    expect(await buyOf('owned')).toBe('fresh_needed');
    expect(await buyOf('existing')).toMatchObject({ kind: 'cached' });
    expect(await buyOf('owned')).toMatchObject({ kind: 'owned' });
  });
});
