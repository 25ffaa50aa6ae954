import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import { settleOrWithdraw } from '../../../db/purchases/refunds.js';
import { reserveReportId } from '../../../db/reports/run.js';
import {
  bought,
  buy,
  complete,
  isSold,
  newRunAt,
  purchaseRequest,
  refund,
  sell,
} from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

const buyer = async (credits = 1_000) => ({
  accountId: await world.openAccount(credits),
  eventId: await world.openEvent(),
});

describe('one purchase is charged once', () => {
  test('when forty attempts run concurrently, and all get the same receipt', async () => {
    const purchase = { ...(await buyer()), purchaseId: randomUUID() };
    const receipts = await inParallel(40, () => buy(world.db, purchase));
    expect(new Set(receipts.map(receipt => JSON.stringify(receipt))).size).toBe(1);
    expect(receipts[0]).toMatchObject({ kind: 'fresh', status: 'pending', creditsSpent: 120 });
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('forty concurrent purchases of one report are one charge; the other thirty-nine own it', async () => {
    const purchase = await buyer();
    const receipts = await inParallel(40, () => bought(world.db, purchase));
    expect(new Set(receipts.map(({ reportId }) => reportId)).size).toBe(1);
    const kinds = receipts.map(({ kind, creditsSpent }) => `${kind} ${creditsSpent}`).toSorted();
    expect(kinds).toEqual(['fresh 120', ...Array(39).fill('owned 0')]);
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('a retry after the report completed returns the original charge', async () => {
    const purchase = { ...(await buyer()), purchaseId: randomUUID() };
    const first = await bought(world.db, purchase);
    await complete(world.db, first.reportId);
    expect(await bought(world.db, purchase, { now: later({ hours: 1 }) })).toEqual(first);
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('concurrent purchases of many events sell exactly as many as the balance pays for', async () => {
    const accountId = await world.openAccount(120 * 3 + 119);
    const events = await inParallel(8, () => world.openEvent());
    const outcomes = await Promise.all(events.map(eventId => buy(world.db, { accountId, eventId })));
    expect(outcomes.filter(isSold)).toHaveLength(3);
    expect(await balance(accountId)).toBe(119);
  });
});

describe('a purchase that was withdrawn is never charged', () => {
  const named = async () => ({ ...(await buyer()), purchaseId: randomUUID() });
  type Named = Awaited<ReturnType<typeof named>>;

  test.each<[string, (purchase: Named) => Promise<unknown>]>([
    ['resolved as withdrawn', purchase => settleOrWithdraw(world.db, { ...purchase, now: noon })],
    ['refunded before it was charged', purchase => refund(world.db, purchase)],
  ])('%s', async (_, withdraw) => {
    const purchase = await named();
    await withdraw(purchase);
    expect(await buy(world.db, purchase)).toMatchObject({ refused: 'unavailable' });
    expect(await balance(purchase.accountId)).toBe(1_000);
    expect(await world.sql('select from reports where event_id = $1', [purchase.eventId])).toEqual([]);
  });

  test('when charge and withdrawal race, the caller gets the result that committed', async () => {
    const rounds = await inParallel(20, async () => {
      const purchase = await named();
      const [charged, settled] = await Promise.all([
        buy(world.db, purchase),
        settleOrWithdraw(world.db, { ...purchase, now: noon }),
      ]);
      return { same: JSON.stringify(charged) === JSON.stringify(settled), charged, purchase };
    });
    for (const { same, charged, purchase } of rounds) {
      const made = isSold(charged);
      expect([same || !made, await balance(purchase.accountId)]).toEqual([true, made ? 880 : 1_000]);
    }
  });

  test('resolving a completed purchase returns its receipt every time', async () => {
    const purchase = await named();
    const receipt = await bought(world.db, purchase);
    expect(await settleOrWithdraw(world.db, { ...purchase, now: noon })).toEqual(receipt);
    expect(await settleOrWithdraw(world.db, { ...purchase, now: later({ hours: 2 }) })).toEqual(receipt);
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('the database rejects turning a withdrawn purchase into a charge or deleting it', async () => {
    const purchase = await named();
    await settleOrWithdraw(world.db, { ...purchase, now: noon });
    for (const [statement, refusal] of [
      [`update report_purchases set state = 'charged' where id = '${purchase.purchaseId}'`, /has ended/],
      [`delete from report_purchases where id = '${purchase.purchaseId}'`, /keeps its rows/],
      ['truncate report_purchases cascade', /keeps its rows/],
    ] as const) {
      await expect(world.sql(statement)).rejects.toThrow(refusal);
    }
  });
});

describe('a purchase that was answered "unavailable" is not charged', () => {
  const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
  const past = fromNow(-1);
  const skewedBy = (seconds: number) => ({ now: later({ seconds }, new Date()) });

  test.each([-10, 0, 10])(
    'after its deadline nothing is written, at a clock that is %i seconds off',
    async seconds => {
      const purchase = { ...(await buyer()), answerBy: past };
      const before = await countRows(world);
      expect(await buy(world.db, purchase, skewedBy(seconds))).toMatchObject({ refused: 'unavailable' });
      expect(await countRows(world)).toEqual(before);
    },
  );

  test.each([-70, 70])('before its deadline it is sold, at a clock that is %i seconds off', async seconds => {
    const purchase = { ...(await buyer()), answerBy: fromNow(60_000) };
    expect(await buy(world.db, purchase, skewedBy(seconds))).toMatchObject({ kind: 'fresh' });
  });

  test('a late attempt returns the charge of an earlier attempt', async () => {
    const purchase = { ...(await buyer()), purchaseId: randomUUID() };
    const receipt = await bought(world.db, purchase);
    expect(await buy(world.db, { ...purchase, answerBy: past })).toEqual(receipt);
  });
});

describe('an account pays once for a report', () => {
  test('further purchases cost nothing, in flight and finished, without credits and at any quote', async () => {
    const purchase = await buyer(120);
    const first = await bought(world.db, purchase);
    const owned = { reportId: first.reportId, kind: 'owned', creditsSpent: 0 };
    expect(await bought(world.db, purchase)).toMatchObject({ ...owned, status: 'pending' });
    await complete(world.db, first.reportId);
    expect(await bought(world.db, { ...purchase, quotedCredits: 1 })).toMatchObject({
      ...owned,
      status: 'completed',
    });
    expect(await balance(purchase.accountId)).toBe(0);
  });

  test('a run in flight is neither owned by nor shared with another account', async () => {
    const first = await sell(world);
    const second = await sell(world, { eventId: first.eventId });
    expect(second).toMatchObject({ kind: 'fresh', creditsSpent: 120 });
    expect(second.reportId).not.toBe(first.reportId);
  });

  test('the next day is a different report', async () => {
    const purchase = await buyer();
    const first = await bought(world.db, purchase);
    await complete(world.db, first.reportId);
    const next = await bought(world.db, { ...purchase, utcDay: '2031-03-06' });
    expect([next.kind, next.reportId === first.reportId]).toEqual(['fresh', false]);
  });

  test('the database rejects a second live report of the day for one account', async () => {
    const purchase = await buyer();
    const { reportId } = await bought(world.db, purchase);
    const again = world.sql(
      `insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed, created_at)
       select account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, 'pending', seed, created_at
       from reports where id = $1`,
      [reportId],
    );
    await expect(again).rejects.toThrow(/reports_one_live_a_day/);
  });
});

test('the id of a report is the reserved one, and no other report gets it', async () => {
  const openedAs = async (reserved: { reportId?: number }) =>
    purchaseReport(world.db, purchaseRequest(await buyer()), { ...newRunAt(noon), ...reserved }, 'fresh');
  const { reportId: first } = await reserveReportId(world.db);
  const { reportId: second } = await reserveReportId(world.db);
  expect(await openedAs({})).toMatchObject({ reportId: second + 1 });
  expect(await openedAs({ reportId: first })).toMatchObject({ reportId: first });
  expect(await openedAs({})).toMatchObject({ reportId: second + 2 });
  await expect(openedAs({ reportId: first })).rejects.toThrow(/duplicate key/);
});

test('a purchase that fails midway leaves no rows', async () => {
  const purchase = await buyer();
  const before = await countRows(world);
  const broken = buy(world.db, { ...purchase, apiKeyId: randomUUID() });
  await expect(broken).rejects.toThrow(/foreign key/);
  expect(await countRows(world)).toEqual(before);
  expect(await balance(purchase.accountId)).toBe(1_000);
});
