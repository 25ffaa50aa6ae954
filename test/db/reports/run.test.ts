import { describe, expect, test } from '@jest/globals';
import type { Stage } from '../../../council/deliberation/stages.js';
import { lockAccount } from '../../../db/accounts/accounts.js';
import { recordProviderCall } from '../../../db/pricing/provider-calls.js';
import { readDeliberation } from '../../../db/reports/deliberation.js';
import { readRun, saveStageResult } from '../../../db/reports/run.js';
import { opinion } from '../../council/fixtures.js';
import { subscribe } from '../../support/service/subscribe.js';
import {
  answeredCall,
  complete,
  conclusion,
  finish,
  freezeMarket,
  openRuns,
  refund,
  sell,
  snapshot,
} from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const { pending, processing, failed } = openRuns(world);

const completed = async () => {
  const run = await pending();
  await complete(world.db, run.reportId);
  return run;
};

const statusOf = async (reportId: number) =>
  (await world.sql('select status from reports where id = $1', [reportId]))[0].status;

const keep = (reportId: number, rationale: string, stage: Stage = 'opinions') =>
  saveStageResult(world.db, {
    call: answeredCall(reportId, { stage }),
    answer: opinion({ Yes: 60, No: 40 }, { rationale }),
    latencyMs: 5,
    now: noon,
  });

describe('a report only moves forward', () => {
  test.each([
    ['processing', processing, `status = 'pending'`],
    ['completed', completed, `status = 'processing', conclusion = null, ended_at = null`],
    ['completed', completed, `status = 'failed', conclusion = null, failure_code = 'internal'`],
    ['failed', failed, `status = 'pending', failure_code = null, ended_at = null`],
  ] as const)('a %s report cannot be set to %3$s', async (status, arrive, change) => {
    const { reportId } = await arrive();
    const back = world.sql(`update reports set ${change} where id = $1`, [reportId]);
    await expect(back).rejects.toThrow(/is terminal|cannot go back/);
    expect(await statusOf(reportId)).toBe(status);
  });

  test('the price of another venue is stored with the conclusion, as it was read, and only then', async () => {
    const otherVenue = [
      {
        outcome: 'Yes',
        venue: 'kalshi',
        event_id: 'kalshi:KXRAIN',
        slug: 'KXRAIN-1',
        url: null,
        yes_price: 0.43,
        read_at: noon.toISOString(),
      },
    ] as const;
    const { reportId } = await processing();
    const rewrite = () =>
      world.sql(`update reports set other_venue = '[]' where id = $1 returning other_venue`, [reportId]);
    await expect(rewrite()).rejects.toThrow(/other_venue_of_completed/);
    await finish(world.db, reportId, { otherVenue });
    await expect(rewrite()).rejects.toThrow(/is terminal/);
    const [row] = await world.sql('select other_venue from reports where id = $1', [reportId]);
    expect(row.other_venue).toEqual(otherVenue);
  });

  test('a terminal report is frozen and not deleted, with all its columns and answers', async () => {
    const { reportId } = await processing();
    await keep(reportId, 'first');
    await finish(world.db, reportId);
    for (const change of [`seed = 'other'`, 'stage_of = 9', `event_title = 'Other'`, `conclusion = '{}'`]) {
      const rewrite = world.sql(`update reports set ${change} where id = $1`, [reportId]);
      await expect(rewrite).rejects.toThrow(/is terminal/);
    }
    await expect(world.sql('delete from reports where id = $1', [reportId])).rejects.toThrow(
      /keeps its rows/,
    );
    expect(await keep(reportId, 'too late', 'cross_review')).toBe('run_ended');
    const { opinions, reviews } = await readDeliberation(world.db, reportId);
    expect([opinions.length, reviews.length]).toEqual([1, 0]);
  });

  test('a report that is not processing is not completed', async () => {
    const { reportId } = await pending();
    const before = await countRows(world);
    await finish(world.db, reportId);
    expect(await statusOf(reportId)).toBe('pending');
    expect(await countRows(world)).toEqual(before);
  });

  test('a second completion changes nothing', async () => {
    const { reportId } = await completed();
    const stored = () => world.sql('select * from reports where id = $1', [reportId]);
    const before = await stored();
    const other = { ...conclusion, probability: 99 };
    await finish(world.db, reportId, { conclusion: other, now: later({ hours: 1 }) });
    expect(await stored()).toEqual(before);
  });
});

describe('the columns of a report match its status', () => {
  test.each([
    ['processing without a market', pending, `status = 'processing'`],
    ['completed without a market', pending, `status = 'completed', conclusion = '{}', ended_at = now()`],
    ['completed without a conclusion', processing, `status = 'completed', ended_at = now()`],
    ['completed without an end', processing, `status = 'completed', conclusion = '{}'`],
    ['concluded while it runs', processing, `conclusion = '{}'`],
    ['failed without a failure code', processing, `status = 'failed', ended_at = now()`],
    ['with a failure code while it runs', processing, `failure_code = 'internal'`],
    ['ended while it runs', processing, 'ended_at = now()'],
    ['of an unknown status', processing, `status = 'lost'`],
  ] as const)('no report is %s', async (_, arrive, change) => {
    const { reportId } = await arrive();
    const update = world.sql(`update reports set ${change} where id = $1`, [reportId]);
    await expect(update).rejects.toThrow(/check constraint/);
  });
});

describe('the market snapshot is frozen', () => {
  test.each([
    `event = '{}'`,
    'event = null',
    `queried_market = 'Snow'`,
    'prices_at = now()',
    `seed = 'other'`,
  ])('the database rejects: %s', async change => {
    const { reportId } = await processing();
    const rewrite = world.sql(`update reports set ${change} where id = $1`, [reportId]);
    await expect(rewrite).rejects.toThrow(/frozen|check constraint/);
  });

  test('it is read back exactly as written, including the order of keys', async () => {
    const { reportId } = await processing();
    const { event: frozen } = await readRun(world.db, reportId);
    expect(JSON.stringify(frozen)).toBe(JSON.stringify(snapshot.event));
  });
});

describe("a member's answer at a stage is written once", () => {
  const used = async ({ reportId }: { reportId: number }) => {
    const calls = await world.sql('select used from provider_calls where report_id = $1 order by id', [
      reportId,
    ]);
    return calls.map(call => call.used);
  };

  test('the first stays', async () => {
    const { reportId } = await processing();
    await keep(reportId, 'first');
    await inParallel(10, index => keep(reportId, `again ${index}`));
    const { opinions } = await readDeliberation(world.db, reportId);
    expect(opinions.map(({ answer }) => answer.rationale)).toEqual(['first']);
  });

  test.each([
    `update stage_results set answer = '{}' where report_id = $1`,
    'delete from stage_results where report_id = $1',
  ])('the database rejects: %s', async statement => {
    const { reportId } = await processing();
    await keep(reportId, 'first');
    await expect(world.sql(statement, [reportId])).rejects.toThrow(/keeps its rows/);
  });

  test('no answer is stored for a run that failed or has not started', async () => {
    for (const run of [await failed(), await pending()])
      expect(await keep(run.reportId, 'stray')).toBe('run_ended');
    expect(await world.sql(`select 1 from stage_results where answer::text like '%stray%'`)).toEqual([]);
  });

  test('every call is recorded, with whether its answer is the one that is stored', async () => {
    const over = await failed();
    await keep(over.reportId, 'too late');
    const running = await processing();
    await keep(running.reportId, 'first');
    await keep(running.reportId, 'again');
    expect(await used(over)).toEqual([false]);
    expect(await used(running)).toEqual([true, false]);
  });

  test('a call that is recorded before its answer is stored counts as used then', async () => {
    const { reportId } = await processing();
    const call = answeredCall(reportId);
    const answer = opinion({ Yes: 60, No: 40 });
    await recordProviderCall(world.db, call);
    await saveStageResult(world.db, { call, answer, latencyMs: 5, now: noon });
    expect(await used({ reportId })).toEqual([true]);
  });

  test('storing an answer again, after a lost response, records its call and its cost once', async () => {
    const { reportId } = await processing();
    const call = answeredCall(reportId);
    const answer = opinion({ Yes: 60, No: 40 });
    await inParallel(10, () => saveStageResult(world.db, { call, answer, latencyMs: 5, now: noon }));
    await recordProviderCall(world.db, call);
    expect(await used({ reportId })).toEqual([true]);
    const { opinions } = await readDeliberation(world.db, reportId);
    expect(opinions.map(({ attempts }) => attempts)).toEqual([1]);
  });
});

describe('completions on a subscription', () => {
  /** A run that is ready to be completed. */
  const readyRun = async (accountId: string) => {
    const run = await sell(world, { accountId, lane: 'subscription' });
    await freezeMarket(world.db, run.reportId, snapshot);
    return run;
  };
  const subscriber = async () => {
    const accountId = await world.openAccount();
    await subscribe(world.db, accountId);
    return accountId;
  };

  test('do not wait for a purchase of the account that is in progress', async () => {
    const accountId = await subscriber();
    const { reportId } = await readyRun(accountId);
    await world.db.transaction().execute(async purchase => {
      await lockAccount(purchase, accountId);
      expect(await finish(world.db, reportId)).toBe(true);
    });
  });

  test('never deadlock with refunds and purchases of the account, and each report ends once', async () => {
    await inParallel(10, async () => {
      const accountId = await subscriber();
      const runs = [await readyRun(accountId), await readyRun(accountId)];
      await Promise.all([
        ...runs.flatMap(run => [finish(world.db, run.reportId), refund(world.db, run)]),
        readyRun(accountId),
      ]);
      const ends = await world.sql(
        `select report.status || ' ' || purchase.state as ended
         from reports report join report_purchases purchase on report_id = report.id where report.id = any ($1)`,
        [runs.map(({ reportId }) => reportId)],
      );
      expect(ends).toHaveLength(2);
      for (const { ended } of ends) expect(['failed refunded', 'completed charged']).toContain(ended);
    });
  });
});
