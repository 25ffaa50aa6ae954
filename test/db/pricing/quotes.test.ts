import { describe, expect, test } from '@jest/globals';
import { at } from '../../../council/numbers.js';
import { currentQuote } from '../../../db/pricing/quotes.js';
import { findRecordEntry } from '../../../db/track-record/record.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { nextQuote, openingQuote } from '../../../purchase/quote.js';
import { putKey } from '../support/account-steps.js';
import {
  complete,
  finish,
  freezeMarket,
  newestWindow,
  recordCost,
  refund,
  sell,
  snapshot,
} from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const newRun = (simulated = true) => sell(world, {}, { simulated });

const quotesOf = (reportId: number) => world.sql('select * from quotes where report_id = $1', [reportId]);

describe('a completed run moves the price', () => {
  test('once, by the cost of its calls, however often it is completed', async () => {
    const { reportId } = await newRun();
    const before = await newestWindow(world.db);
    await freezeMarket(world.db, reportId, snapshot);
    for (const cost of [300_000, 500_000, 700_000]) await recordCost(world.db, reportId, cost);
    await inParallel(10, () => finish(world.db, reportId));
    expect(await quotesOf(reportId)).toHaveLength(1);
    expect(await newestWindow(world.db)).toEqual(
      nextQuote(before, { costUsdMicros: 1_500_000, completedAt: noon }),
    );
  });

  test('by at most 3 % within an hour of the first, however many and expensive they are', async () => {
    const began = later({ hours: 2 });
    const before = await currentQuote(world.db, true);
    for (const minutes of [0, 1, 30, 59]) {
      await complete(world.db, (await newRun()).reportId, 1_000_000_000, later({ minutes }, began));
    }
    const highest = before.freshCredits + Math.floor(before.freshCredits * 0.03);
    expect(await newestWindow(world.db)).toMatchObject({
      freshCredits: highest,
      windowBeganAt: began,
      windowCredits: before.freshCredits,
    });
    await complete(world.db, (await newRun()).reportId, 1_000_000_000, later({ minutes: 60 }, began));
    expect(await newestWindow(world.db)).toMatchObject({
      freshCredits: highest + Math.floor(highest * 0.03),
      windowCredits: highest,
    });
  });

  test('even if none of its calls is recorded', async () => {
    const { reportId } = await newRun();
    const before = await newestWindow(world.db);
    await freezeMarket(world.db, reportId, snapshot);
    await finish(world.db, reportId);
    expect(await newestWindow(world.db)).toEqual(nextQuote(before, { costUsdMicros: 0, completedAt: noon }));
  });

  test('each from the previous price, when many complete concurrently', async () => {
    const before = await newestWindow(world.db);
    const runs = await inParallel(24, () => newRun());
    await Promise.all(
      runs.map(({ reportId }, index) => complete(world.db, reportId, index % 2 === 0 ? 0 : 5_000_000)),
    );
    const cost = new Map(runs.map(({ reportId }, index) => [reportId, index % 2 === 0 ? 0 : 5_000_000]));
    const moves = await world.sql(
      `select report_id, fresh_credits as "freshCredits", estimate_usd_micros as "estimateUsdMicros",
         window_began_at as "windowBeganAt", window_credits as "windowCredits"
       from quotes where report_id = any ($1) order by id`,
      [[...cost.keys()]],
    );
    let quote = before;
    for (const { report_id, ...move } of moves) {
      quote = nextQuote(quote, { costUsdMicros: cost.get(report_id) ?? 0, completedAt: noon });
      expect(move).toEqual(quote);
    }
    expect(moves).toHaveLength(24);
  });
});

test('a failed run never moves the price', async () => {
  const run = await newRun();
  const before = await currentQuote(world.db, true);
  await recordCost(world.db, run.reportId, 9_000_000);
  await refund(world.db, run);
  await finish(world.db, run.reportId);
  expect(await currentQuote(world.db, true)).toEqual(before);
  expect(await quotesOf(run.reportId)).toEqual([]);
});

test('a run on the caller’s own keys moves no price but is in the record', async () => {
  const accountId = await world.openAccount(1_000);
  await putKey(world, accountId);
  const { reportId } = await sell(world, { accountId, lane: 'byok' });
  const before = await currentQuote(world.db, true);
  await complete(world.db, reportId, 9_000_000);
  expect(await currentQuote(world.db, true)).toEqual(before);
  expect(await quotesOf(reportId)).toEqual([]);
  await sealRecord(world.db);
  expect(await findRecordEntry(world.db, reportId)).toMatchObject({ kind: 'completed' });
});

test('simulated and live runs move separate prices', async () => {
  const before = await currentQuote(world.db, true);
  expect(await currentQuote(world.db, false)).toEqual(openingQuote);
  const live = await newRun(false);
  await complete(world.db, live.reportId, 10_000_000);
  expect(await currentQuote(world.db, true)).toEqual(before);
  expect((await currentQuote(world.db, false)).freshCredits).toBeGreaterThan(openingQuote.freshCredits);
});

test('prices are only added, and one by each run', async () => {
  const { reportId } = await newRun();
  await complete(world.db, reportId);
  for (const change of ['update quotes set fresh_credits = 1', 'delete from quotes', 'truncate quotes']) {
    await expect(world.sql(change)).rejects.toThrow(/keeps its rows/);
  }
  const again = world.sql(
    `insert into quotes (report_id, fresh_credits, estimate_usd_micros, simulated, created_at, window_began_at,
         window_credits, cost_usd_micros)
       select report_id, 1, 0, simulated, created_at, window_began_at, window_credits, cost_usd_micros from quotes where report_id = $1`,
    [reportId],
  );
  await expect(again).rejects.toThrow(/quotes_report_id_key/);
  expect(at(await quotesOf(reportId), 0).fresh_credits).toBeGreaterThan(1);
});
