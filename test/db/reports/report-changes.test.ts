import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ListenerTimes } from '../../../db/listener.js';
import { listenForReportChanges, type ReportChanges } from '../../../db/reports/report-changes.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { Link } from '../../chaos/deployment/link.js';
import { opinion } from '../../council/fixtures.js';
import { until } from '../../support/until.js';
import { answeredCall, complete, openRuns } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const { pending, processing } = openRuns(world);

/** A busy machine does not lose the connection, and no test waits long for a new one. */
const times: ListenerTimes = {
  triedEveryMs: 10_000,
  answerWithinMs: 60_000,
  retryMinMs: 10,
  retryMaxMs: 100,
};
/** Longer than a test may take: a watch that nothing wakes fails its test. */
const forEver = 600_000;
const nobodyLeaves = new AbortController().signal;

let link: Link;
let changes: ReportChanges;
const lost: string[] = [];

beforeAll(async () => {
  link = await Link.lay('database', () => Number(new URL(world.url).port));
  changes = await listenThroughLink();
});

afterAll(async () => {
  await changes.close();
  await link.close();
});

async function listenThroughLink(changedTimes: Partial<ListenerTimes> = {}): Promise<ReportChanges> {
  const url = new URL(world.url);
  url.port = String(link.port);
  const listening = listenForReportChanges({
    databaseUrl: url.href,
    onError: (_error, what) => lost.push(what),
    times: { ...times, ...changedTimes },
  });
  await until('changes are heard', listening.isListening);
  return listening;
}

const sessions = () =>
  world.sql(`select pid from pg_stat_activity where application_name = 'council listener'
    and datname = current_database()`);

/** Whether the next change wakes the watch; notifications arrive in the order of their transactions. */
async function woken(reportId: number, change: () => Promise<unknown>): Promise<boolean> {
  const other = await pending();
  const [watch, last] = [changes.watch(reportId), changes.watch(other.reportId)];
  const leave = new AbortController();
  const next = watch.next(forEver, leave.signal);
  const isWoken = next.then(() => !leave.signal.aborted);
  await change();
  await world.sql(`update reports set stage = 'synthesis' where id = $1`, [other.reportId]);
  await last.next(forEver, nobodyLeaves);
  leave.abort();
  watch.stop();
  last.stop();
  return isWoken;
}

describe('a change of a report', () => {
  const saveAnswer = (reportId: number) =>
    saveStageResult(world.db, {
      call: answeredCall(reportId),
      answer: opinion({ Yes: 60, No: 40 }),
      latencyMs: 5,
      now: noon,
    });
  const table: [what: string, change: (reportId: number) => Promise<unknown>][] = [
    ['an answer', saveAnswer],
    ['a stage', id => world.sql(`update reports set stage = 'cross_review' where id = $1`, [id])],
    ['its end', id => complete(world.db, id)],
  ];
  test.each(table)('wakes who waits for it: %s', async (_what, change) => {
    const { reportId } = await processing();
    expect(await woken(reportId, () => change(reportId))).toBe(true);
  });

  test('wakes nobody who waits for another report, nor does a change that no caller sees', async () => {
    const [mine, other] = [await processing(), await processing()];
    expect(await woken(mine.reportId, () => saveAnswer(other.reportId))).toBe(false);
    const unseen = () => world.sql('update reports set stage_of = 3 where id = $1', [mine.reportId]);
    expect(await woken(mine.reportId, unseen)).toBe(false);
  });

  test('is not missed between two waits', async () => {
    const { reportId } = await processing();
    const watch = changes.watch(reportId);
    await woken(reportId, () => saveAnswer(reportId));
    await watch.next(forEver, nobodyLeaves);
    watch.stop();
  });
});

describe('while notifications do not arrive', () => {
  test('who waits is woken when they stop, every two seconds, and when they arrive again', async () => {
    const { reportId } = await processing();
    const watch = changes.watch(reportId);
    const stopped = watch.next(forEver, nobodyLeaves);
    link.become({ kind: 'closed' });
    await stopped;
    expect(changes.isListening()).toBe(false);
    await watch.next(forEver, nobodyLeaves);
    const again = watch.next(forEver, nobodyLeaves);
    link.become({ kind: 'calm' });
    await again;
    await until('changes are heard again', changes.isListening);
    watch.stop();
    expect(lost).toHaveLength(1);
    expect(await woken(reportId, () => complete(world.db, reportId))).toBe(true);
  });

  test('a server that vanishes without closing the connection is noticed', async () => {
    const quick = await listenThroughLink({ triedEveryMs: 50, answerWithinMs: 500 });
    const before = lost.length;
    link.become({ kind: 'half_open' });
    await until('the loss is noticed', () => lost.length > before);
    link.become({ kind: 'calm' });
    await until('changes are heard again', quick.isListening);
    await quick.close();
    // The other listener's connection was lost as well.
    await until('it is replaced', changes.isListening);
  });
});

test('any number of watches share one connection, and a closed listener leaves none', async () => {
  const watches = Array.from({ length: 100 }, (_, id) => changes.watch(id + 1_000));
  await until('one connection is open', async () => (await sessions()).length === 1);
  for (const watch of watches) watch.stop();
  await changes.close();
  await until('its session has ended', async () => (await sessions()).length === 0);
});
