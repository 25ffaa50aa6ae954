import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ReportStatus } from '../../../council/report.js';
import { settleOrWithdraw } from '../../../db/purchases/refunds.js';
import { openStage } from '../../../db/reports/open-stage.js';
import { listReports, readReport, readReportState } from '../../../db/reports/reports.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { opinion } from '../../council/fixtures.js';
import {
  answeredCall,
  bought,
  complete,
  conclusion,
  freezeMarket,
  refund,
  snapshot,
} from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const buyFor = async (accountId: string, now = noon) => {
  const purchase = { accountId, eventId: await world.openEvent(), purchaseId: randomUUID() };
  return { ...purchase, ...(await bought(world.db, purchase, { now })) };
};

const list = async (accountId: string, page = 1, perPage = 10, status: ReportStatus | null = null) => {
  const { rows, total } = await listReports(world.db, accountId, { page, perPage, status });
  return { ids: rows.map(({ id }) => id), total };
};

describe("another account's report", () => {
  test('is not found in any state, exactly like one that does not exist', async () => {
    const [owner, stranger] = [await world.openAccount(1_000), await world.openAccount(1_000)];
    const [pending, done, lost] = [await buyFor(owner), await buyFor(owner), await buyFor(owner)];
    await complete(world.db, done.reportId);
    await refund(world.db, lost);
    for (const { reportId } of [pending, done, lost]) {
      expect(await readReport(world.db, stranger, reportId)).toBeNull();
      expect(await readReport(world.db, owner, reportId)).toMatchObject({ id: reportId });
    }
    expect(await readReport(world.db, stranger, 999_999_999)).toBeNull();
    expect(await list(stranger)).toEqual({ ids: [], total: 0 });
  });

  test('bought as cached is found by its buyer only', async () => {
    const [owner, buyer, stranger] = [
      await world.openAccount(1_000),
      await world.openAccount(1_000),
      await world.openAccount(1_000),
    ];
    const report = await buyFor(owner);
    await complete(world.db, report.reportId);
    await bought(world.db, { accountId: buyer, eventId: report.eventId });
    expect(await readReport(world.db, buyer, report.reportId)).toMatchObject({
      bought: 'cached',
      status: 'completed',
      conclusion,
    });
    expect(await readReport(world.db, owner, report.reportId)).toMatchObject({ bought: 'fresh' });
    expect(await readReport(world.db, stranger, report.reportId)).toBeNull();
  });

  test('of the same event is never returned instead of the caller’s own', async () => {
    const [first, second] = [await world.openAccount(1_000), await world.openAccount(1_000)];
    const own = await buyFor(first);
    const theirs = await bought(world.db, { accountId: second, eventId: own.eventId });
    expect(await list(first)).toEqual({ ids: [own.reportId], total: 1 });
    expect(await list(second)).toEqual({ ids: [theirs.reportId], total: 1 });
  });
});

describe('the list', () => {
  test('is ordered by purchase time, newest first, with the total on each page', async () => {
    const accountId = await world.openAccount(1_000);
    const ids = [];
    for (const minutes of [0, 20, 40, 60, 80])
      ids.unshift((await buyFor(accountId, later({ minutes }))).reportId);
    expect(await list(accountId, 1, 2)).toEqual({ ids: ids.slice(0, 2), total: 5 });
    expect(await list(accountId, 2, 2)).toEqual({ ids: ids.slice(2, 4), total: 5 });
    expect(await list(accountId, 3, 2)).toEqual({ ids: ids.slice(4), total: 5 });
    expect(await list(accountId, 4, 2)).toEqual({ ids: [], total: 5 });
  });

  test('contains reports bought at the same instant once each', async () => {
    const accountId = await world.openAccount(1_000);
    for (let i = 0; i < 5; i++) await buyFor(accountId);
    const pages = await Promise.all([1, 2, 3, 4, 5].map(page => list(accountId, page, 1)));
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(5);
  });

  test('by status contains only those, and their total', async () => {
    const accountId = await world.openAccount(1_000);
    const runs = [await buyFor(accountId), await buyFor(accountId), await buyFor(accountId)];
    const [done, lost, waiting] = runs.map(({ reportId }) => reportId);
    await complete(world.db, done ?? 0);
    await refund(world.db, { accountId, purchaseId: runs[1]?.purchaseId ?? '' });
    expect(await list(accountId, 1, 10, 'completed')).toEqual({ ids: [done], total: 1 });
    expect(await list(accountId, 1, 10, 'failed')).toEqual({ ids: [lost], total: 1 });
    expect(await list(accountId, 1, 10, 'pending')).toEqual({ ids: [waiting], total: 1 });
    expect(await list(accountId, 1, 10, 'processing')).toEqual({ ids: [], total: 0 });
  });

  test('omits withdrawn purchases', async () => {
    const accountId = await world.openAccount(1_000);
    await settleOrWithdraw(world.db, { accountId, purchaseId: randomUUID(), now: noon });
    expect(await list(accountId)).toEqual({ ids: [], total: 0 });
  });
});

test('models are listed in the order in which they answered', async () => {
  const accountId = await world.openAccount(1_000);
  const { reportId } = await buyFor(accountId);
  const answered = async () => (await readReport(world.db, accountId, reportId))?.answered;
  await freezeMarket(world.db, reportId, snapshot);
  expect(await answered()).toEqual([]);
  for (const [index, model] of (['grok', 'claude', 'gemini'] as const).entries()) {
    await saveStageResult(world.db, {
      call: answeredCall(reportId, { model }),
      answer: opinion({ Yes: 60, No: 40 }),
      latencyMs: 5,
      now: later({ seconds: index }),
    });
  }
  expect(await answered()).toEqual(['grok', 'claude', 'gemini']);
  expect(await readReportState(world.db, accountId, reportId)).toMatchObject({
    stage: 'opinions',
    answered: 3,
  });
  await openStage(world.db, { reportId, stage: 'cross_review', of: 3 });
  expect(await answered()).toEqual([]);
  expect(await readReportState(world.db, accountId, reportId)).toMatchObject({
    stage: 'cross_review',
    answered: 0,
  });
});
