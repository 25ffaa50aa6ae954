import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { balanceCredits, readStatement } from '../../../db/ledger/ledger.js';
import { findReceipt } from '../../../db/purchases/receipts.js';
import { settleOrWithdraw } from '../../../db/purchases/refunds.js';
import { completeReport } from '../../../db/reports/complete-report.js';
import { bought, buy, complete, conclusion, forecastOf, newSalt, refund } from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

/** A charged fresh report. */
const sold = async (quotedCredits: number | null = null) => {
  const accountId = await world.openAccount(1_000);
  const purchase = { accountId, eventId: await world.openEvent(), purchaseId: randomUUID(), quotedCredits };
  return { ...purchase, ...(await bought(world.db, purchase)) };
};

const reportOf = async (reportId: number) => {
  const [report] = await world.sql('select status, failure_code, ended_at from reports where id = $1', [
    reportId,
  ]);
  return report;
};

describe('a refund returns exactly what was charged, once', () => {
  test('to the same pool, for the same report, with the opposite sign', async () => {
    const purchase = await sold(110);
    const { reportId } = purchase;
    expect(await refund(world.db, purchase)).toEqual({ reportId, credits: 110, isDelivered: false });
    const { rows } = await readStatement(world.db, purchase.accountId, { page: 1, perPage: 10 });
    expect(
      rows.map(row => [row.kind, row.pool, row.amount_credits, row.balance_after, row.report_id]),
    ).toEqual([
      ['refund', 'purchased', 110, 1_000, purchase.reportId],
      ['charge', 'purchased', -110, 890, purchase.reportId],
      ['grant', 'purchased', 1_000, 1_000, null],
    ]);
  });

  test('forty concurrent refunds post one, and all return the same receipt', async () => {
    const purchase = await sold();
    const receipts = await inParallel(40, () => refund(world.db, purchase));
    expect(new Set(receipts.map(receipt => JSON.stringify(receipt))).size).toBe(1);
    const { reportId } = purchase;
    expect(receipts[0]).toEqual({ reportId, credits: 120, isDelivered: false });
    expect(await balance(purchase.accountId)).toBe(1_000);
  });

  test('a charge attempt after it charges nothing', async () => {
    const purchase = await sold();
    await refund(world.db, purchase);
    expect(await buy(world.db, purchase)).toMatchObject({ refused: 'unavailable' });
    expect(await findReceipt(world.db, purchase.purchaseId)).toMatchObject({ refused: 'unavailable' });
    expect(await balance(purchase.accountId)).toBe(1_000);
  });

  test('the caller who resolves the purchase gets a refusal, not a receipt', async () => {
    const purchase = await sold();
    await refund(world.db, purchase);
    expect(await settleOrWithdraw(world.db, { ...purchase, now: noon })).toMatchObject({
      refused: 'unavailable',
    });
  });

  test('the database rejects turning a refunded purchase back into a charge', async () => {
    const purchase = await sold();
    await refund(world.db, purchase);
    const revive = world.sql(
      `update report_purchases set state = 'charged', ended_at = null, refund_transfer_id = null where id = $1`,
      [purchase.purchaseId],
    );
    await expect(revive).rejects.toThrow(/has ended/);
  });

  test('the database rejects changing the price of a purchase on refund', async () => {
    const purchase = await sold();
    const raise = world.sql('update report_purchases set credits = 100000 where id = $1', [
      purchase.purchaseId,
    ]);
    await expect(raise).rejects.toThrow(/would be rewritten/);
  });
});

describe('an account never holds both the refund and the report', () => {
  test('the report fails in the transaction of the refund', async () => {
    const purchase = await sold();
    await refund(world.db, purchase, later({ minutes: 2 }));
    expect(await reportOf(purchase.reportId)).toEqual({
      status: 'failed',
      failure_code: 'quorum_lost',
      ended_at: later({ minutes: 2 }),
    });
    const [written] = await world.sql(
      `select report.xmin::text = purchase.xmin::text and purchase.xmin::text = refund.xmin::text as together
       from reports as report
       join report_purchases as purchase on purchase.report_id = report.id
       join ledger_transfers as refund on refund.id = purchase.refund_transfer_id
       where report.id = $1`,
      [purchase.reportId],
    );
    expect(written).toEqual({ together: true });
  });

  test('a completed report is not refunded', async () => {
    const purchase = await sold();
    await complete(world.db, purchase.reportId);
    const before = await countRows(world);
    const { reportId } = purchase;
    expect(await refund(world.db, purchase)).toEqual({ reportId, credits: 0, isDelivered: true });
    expect(await countRows(world)).toEqual(before);
    expect(await reportOf(purchase.reportId)).toMatchObject({ status: 'completed' });
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('a refunded report is not completed', async () => {
    const purchase = await sold();
    await refund(world.db, purchase);
    await completeReport(world.db, purchase.reportId, {
      conclusion,
      dropouts: [],
      forecast: forecastOf(purchase.reportId),
      salt: newSalt(),
      now: noon,
    });
    expect(await reportOf(purchase.reportId)).toMatchObject({ status: 'failed' });
  });

  test('when completion and refund race, exactly one of them commits', async () => {
    const endings = await inParallel(20, async () => {
      const purchase = await sold();
      await Promise.all([complete(world.db, purchase.reportId), refund(world.db, purchase)]);
      const { status } = await reportOf(purchase.reportId);
      return [status, await balance(purchase.accountId)].join(' ');
    });
    expect(endings.filter(ending => !['completed 880', 'failed 1000'].includes(ending))).toEqual([]);
  });

  test('a cached purchase is not refunded', async () => {
    const purchase = await sold();
    await complete(world.db, purchase.reportId);
    const copy = { ...purchase, accountId: await world.openAccount(1_000), purchaseId: randomUUID() };
    await bought(world.db, { ...copy, quotedCredits: null });
    expect(await refund(world.db, copy)).toMatchObject({ credits: 0 });
    expect(await balance(copy.accountId)).toBe(940);
  });
});

describe('refunding a purchase that was never charged', () => {
  test('returns 0 credits every time and leaves one tombstone', async () => {
    const accountId = await world.openAccount(100);
    const purchaseId = randomUUID();
    const receipts = await inParallel(10, () => refund(world.db, { accountId, purchaseId }));
    expect(new Set(receipts.map(receipt => JSON.stringify(receipt)))).toEqual(
      new Set([JSON.stringify({ reportId: null, credits: 0, isDelivered: false })]),
    );
    expect(await world.sql('select state from report_purchases where id = $1', [purchaseId])).toEqual([
      { state: 'void' },
    ]);
    expect(await balance(accountId)).toBe(100);
  });
});
