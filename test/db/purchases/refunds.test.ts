import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { balanceCredits, readStatement } from '../../../db/ledger/ledger.js';
import { findReceipt } from '../../../db/purchases/receipts.js';
import { settleOrWithdraw } from '../../../db/purchases/refunds.js';
import { bought, buy, complete, finish, refund, sell } from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

const reportOf = async (reportId: number) => {
  const [report] = await world.sql('select status, failure_code, ended_at from reports where id = $1', [
    reportId,
  ]);
  return report;
};

describe('a refund returns exactly what was charged, once', () => {
  test('to the same pool, for the same report, with the opposite sign', async () => {
    const purchase = await sell(world, { quotedCredits: 110 });
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
    const purchase = await sell(world);
    const receipts = await inParallel(40, () => refund(world.db, purchase));
    expect(new Set(receipts.map(receipt => JSON.stringify(receipt))).size).toBe(1);
    const { reportId } = purchase;
    expect(receipts[0]).toEqual({ reportId, credits: 120, isDelivered: false });
    expect(await balance(purchase.accountId)).toBe(1_000);
  });

  test('a charge attempt after it charges nothing, and who resolves the purchase gets a refusal', async () => {
    const purchase = await sell(world);
    await refund(world.db, purchase);
    const unavailable = { refused: 'unavailable' };
    expect(await buy(world.db, purchase)).toMatchObject(unavailable);
    expect(await findReceipt(world.db, purchase.purchaseId)).toMatchObject(unavailable);
    expect(await settleOrWithdraw(world.db, { ...purchase, now: noon })).toMatchObject(unavailable);
    expect(await balance(purchase.accountId)).toBe(1_000);
  });
});

describe('an account never holds both the refund and the report', () => {
  test('the report fails in the transaction of the refund', async () => {
    const purchase = await sell(world);
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
    const purchase = await sell(world);
    await complete(world.db, purchase.reportId);
    const before = await countRows(world);
    const { reportId } = purchase;
    expect(await refund(world.db, purchase)).toEqual({ reportId, credits: 0, isDelivered: true });
    expect(await countRows(world)).toEqual(before);
    expect(await reportOf(purchase.reportId)).toMatchObject({ status: 'completed' });
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('a refunded report is not completed', async () => {
    const purchase = await sell(world);
    await refund(world.db, purchase);
    await finish(world.db, purchase.reportId);
    expect(await reportOf(purchase.reportId)).toMatchObject({ status: 'failed' });
  });

  test('when completion and refund race, exactly one of them commits', async () => {
    const endings = await inParallel(20, async () => {
      const purchase = await sell(world);
      await Promise.all([complete(world.db, purchase.reportId), refund(world.db, purchase)]);
      const { status } = await reportOf(purchase.reportId);
      return [status, await balance(purchase.accountId)].join(' ');
    });
    expect(endings.filter(ending => !['completed 880', 'failed 1000'].includes(ending))).toEqual([]);
  });

  test('a cached purchase is not refunded', async () => {
    const purchase = await sell(world);
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

const rowOf = async (purchaseId: string) =>
  (await world.sql('select * from report_purchases where id = $1', [purchaseId]))[0];

describe('the database lets a charged purchase be refunded only', () => {
  test.each([
    ['it cannot become void while charged', `state = 'void', report_id = null`],
    ['it cannot be refunded without a transfer', `state = 'refunded', ended_at = now()`],
    [
      'its own charge cannot be its refund',
      `state = 'refunded', ended_at = now(), refund_transfer_id = charge_transfer_id`,
    ],
    ['it keeps its report', 'report_id = (select min(id) from reports)'],
    ['it keeps its account', 'account_id = (select id from accounts order by created_at limit 1)'],
    ['it keeps its price', 'credits = 100000'],
    ['it keeps its kind', `kind = 'cached'`],
    ['it keeps its lane', `lane = 'byok'`],
    ['it keeps its pool', `pool = 'weekly_grant'`],
    ['it keeps its time, which the run limit counts', `created_at = created_at - interval '1 hour'`],
  ])('%s', async (_, change) => {
    await sell(world);
    const { purchaseId } = await sell(world);
    const before = await rowOf(purchaseId);
    const rewrite = world.sql(`update report_purchases set ${change} where id = $1`, [purchaseId]);
    await expect(rewrite).rejects.toThrow(/would be rewritten|check constraint/);
    expect(await rowOf(purchaseId)).toEqual(before);
  });

  test("it cannot point at another purchase's refund", async () => {
    const [kept, lost] = [await sell(world), await sell(world)];
    await refund(world.db, lost);
    const { refund_transfer_id } = await rowOf(lost.purchaseId);
    const rewrite = world.sql(
      `update report_purchases set state = 'refunded', ended_at = now(), refund_transfer_id = $2 where id = $1`,
      [kept.purchaseId, refund_transfer_id],
    );
    await expect(rewrite).rejects.toThrow(/unique|would be rewritten/);
  });

  test('a refunded purchase is not charged again', async () => {
    const { purchaseId, ...sold } = await sell(world);
    await refund(world.db, { ...sold, purchaseId });
    const revive = `state = 'charged', ended_at = null, refund_transfer_id = null`;
    const rewrite = world.sql(`update report_purchases set ${revive} where id = $1`, [purchaseId]);
    await expect(rewrite).rejects.toThrow(/has ended/);
  });

  test('an account has one charged purchase of a report', async () => {
    const { purchaseId, reportId } = await sell(world);
    await complete(world.db, reportId);
    const again = world.sql(
      `insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
       select $2, account_id, state, 'cached', report_id, 'subscription', 0, created_at
       from report_purchases where id = $1`,
      [purchaseId, randomUUID()],
    );
    await expect(again).rejects.toThrow(/report_purchases_once/);
  });
});
