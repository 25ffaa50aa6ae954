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
  sell,
  snapshot,
} from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const buyFor = (accountId: string, now = noon) => sell(world, { accountId }, { now });

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
    const [buyer, stranger] = [await world.openAccount(1_000), await world.openAccount(1_000)];
    const { reportId, eventId, accountId: owner } = await sell(world);
    await complete(world.db, reportId);
    await bought(world.db, { accountId: buyer, eventId });
    const copy = { bought: 'cached', status: 'completed', conclusion };
    expect(await readReport(world.db, buyer, reportId)).toMatchObject(copy);
    expect(await readReport(world.db, owner, reportId)).toMatchObject({ bought: 'fresh' });
    expect(await readReport(world.db, stranger, reportId)).toBeNull();
  });

  test('of the same event is never returned instead of the caller’s own', async () => {
    const own = await sell(world);
    const theirs = await sell(world, { eventId: own.eventId });
    for (const { accountId, reportId } of [own, theirs]) {
      expect(await list(accountId)).toEqual({ ids: [reportId], total: 1 });
    }
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

  test('contains reports bought at the same instant once each, and no withdrawn purchase', async () => {
    const accountId = await world.openAccount(1_000);
    for (let i = 0; i < 5; i++) await buyFor(accountId);
    await settleOrWithdraw(world.db, { accountId, purchaseId: randomUUID(), now: noon });
    const pages = await Promise.all([1, 2, 3, 4, 5].map(page => list(accountId, page, 1)));
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(5);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5, 5]);
  });

  test('by status contains only those, and their total', async () => {
    const accountId = await world.openAccount(1_000);
    const [done, lost, waiting] = [await buyFor(accountId), await buyFor(accountId), await buyFor(accountId)];
    await complete(world.db, done.reportId);
    await refund(world.db, lost);
    const of = (status: ReportStatus) => list(accountId, 1, 10, status);
    expect(await of('completed')).toEqual({ ids: [done.reportId], total: 1 });
    expect(await of('failed')).toEqual({ ids: [lost.reportId], total: 1 });
    expect(await of('pending')).toEqual({ ids: [waiting.reportId], total: 1 });
    expect(await of('processing')).toEqual({ ids: [], total: 0 });
  });
});

test('models are listed in the order in which they answered', async () => {
  const { accountId, reportId } = await sell(world);
  const answered = async () => (await readReport(world.db, accountId, reportId))?.answered;
  const state = () => readReportState(world.db, accountId, reportId);
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
  expect(await state()).toMatchObject({ stage: 'opinions', answered: 3 });
  await openStage(world.db, { reportId, stage: 'cross_review', of: 3 });
  expect(await answered()).toEqual([]);
  expect(await state()).toMatchObject({ stage: 'cross_review', answered: 0 });
});
