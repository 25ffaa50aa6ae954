import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ListenerTimes } from '../../../db/listener.js';
import { openStage } from '../../../db/reports/open-stage.js';
import { listenForReportChanges, type ReportChanges } from '../../../db/reports/report-changes.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { Link } from '../../chaos/deployment/link.js';
import { opinion } from '../../council/fixtures.js';
import { until } from '../../support/until.js';
import { answeredCall, complete, openRuns, refund } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const { processing } = openRuns(world);

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

async function wakes(reportId: number, change: () => Promise<unknown>): Promise<void> {
  const watch = changes.watch(reportId);
  await change();
  await watch.next(forEver, nobodyLeaves);
  watch.stop();
}

const saveAnswer = (reportId: number) =>
  saveStageResult(world.db, {
    call: answeredCall(reportId),
    answer: opinion({ Yes: 60, No: 40 }),
    latencyMs: 5,
    now: noon,
  });
const openNext = (reportId: number) => openStage(world.db, { reportId, stage: 'cross_review', of: 4 });

describe('a change of a report', () => {
  type Run = Awaited<ReturnType<typeof processing>>;
  const table: [what: string, change: (run: Run) => Promise<unknown>][] = [
    ['an answer', ({ reportId }) => saveAnswer(reportId)],
    ['a stage', ({ reportId }) => openNext(reportId)],
    ['its completion', ({ reportId }) => complete(world.db, reportId)],
    ['its failure', run => refund(world.db, run)],
  ];
  test.each(table)('wakes who waits for it: %s', async (_what, change) => {
    const run = await processing();
    await wakes(run.reportId, () => change(run));
  });

  test('wakes nobody who waits for another report, nor does a change that no caller sees', async () => {
    const [mine, other] = [await processing(), await processing()];
    await wakes(mine.reportId, () => openNext(mine.reportId));
    const watch = changes.watch(mine.reportId);
    const leave = new AbortController();
    const next = watch.next(forEver, leave.signal).then(() => leave.signal.aborted);
    // A second call of the stage; and a notification that arrives after all earlier ones.
    await openNext(mine.reportId);
    await wakes(other.reportId, () => saveAnswer(other.reportId));
    await wakes(other.reportId, () => complete(world.db, other.reportId));
    leave.abort();
    expect(await next).toBe(true);
    watch.stop();
  });

  test('is not missed between two waits', async () => {
    const { reportId } = await processing();
    const watch = changes.watch(reportId);
    await wakes(reportId, () => saveAnswer(reportId));
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
    await wakes(reportId, () => complete(world.db, reportId));
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
