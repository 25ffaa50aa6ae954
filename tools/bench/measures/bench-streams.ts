import { setTimeout as pause } from 'node:timers/promises';
import { openStage } from '../../../db/reports/open-stage.js';
import { failReport } from '../../../db/reports/run.js';
import { type BoughtReport, ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { type OpenReader, openReader } from '../load/stream-reader.js';
import { type Measured, percentile, rounded } from '../results/measurement.js';
import { cpuSeconds, residentMiB } from '../results/process-usage.js';
import { type BenchedService, withService } from '../services/with-service.js';

const reports = 200;
const streamsPerReport = 5;
const buyersAtOnce = 12;
/** Longer than the measurement, so that only the measurement moves the reports. */
const slowModelMs = 600_000;
const stageDeadlineMs = 1_800_000;
const idleMs = 20_000;
/** The changes are spread out, as those of independent runs are. */
const changeEveryMs = 50;
const driven = ['cross_review', 'synthesis'] as const;
/** What has not arrived by then counts as missing. */
const arriveWithinMs = 30_000;

/**
 * Measures what a thousand open event streams cost one API process, how late a change of a run reaches its readers, and
 * how long two hundred reports that end together take to tell all of them.
 */
export function benchStreams(env: NodeJS.ProcessEnv): Promise<Measured> {
  const deadlines = [stageDeadlineMs, stageDeadlineMs, stageDeadlineMs].join(',');
  return withService(env, { settings: { STAGE_DEADLINES_MS: deadlines } }, async service => {
    await service.slowDown([{ ms: slowModelMs }]);
    const bought = await buyReports(service);
    await untilFirstStage(service);
    const { api } = service.processes;
    const beforeMiB = residentMiB(api);
    const readers = await openAll(service, bought);
    const idle = await usageDuring(api, () => pause(idleMs));
    const openMiB = residentMiB(api);
    const latencies: number[] = [];
    const changing = await usageDuring(api, async () => {
      latencies.push(...(await changeStages(service, bought, readers)));
    });
    const ends: number[] = [];
    const ending = await usageDuring(api, async () => {
      ends.push(...(await endAll(service, bought, readers)));
    });
    const streams = readers.length;
    const faults = readers.filter(({ events }) => !isWhole(events)).length;
    for (const reader of readers) reader.leave();
    return resultOf({ streams, beforeMiB, openMiB, idle, changing, ending, latencies, ends, faults });
  });
}

async function buyReports(service: BenchedService): Promise<readonly BoughtReport[]> {
  const buyer = await ReportBuyer.create(service, reports);
  const bought: BoughtReport[] = [];
  await inLanes(reports, buyersAtOnce, async () => {
    bought.push(await buyer.buy());
  });
  return bought;
}

/** From here on, nothing moves by itself. */
async function untilFirstStage({ database: { db } }: BenchedService): Promise<void> {
  for (;;) {
    const { count } = await db
      .selectFrom('reports')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('stage', 'is not', null)
      .executeTakeFirstOrThrow();
    if (count === reports) return;
    await pause(changeEveryMs);
  }
}

async function openAll(service: BenchedService, bought: readonly BoughtReport[]): Promise<OpenReader[]> {
  const readers: OpenReader[] = [];
  await inLanes(reports * streamsPerReport, 20, async index => {
    const report = bought[index % reports];
    if (report !== undefined) readers.push(await openReader(service.url, report));
  });
  await within(() => readers.every(({ events }) => events.length > 0));
  return readers;
}

/** Cores used, from 0 to their number. */
async function usageDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const [startMs, startSeconds] = [performance.now(), cpuSeconds(pid)];
  await work();
  return (cpuSeconds(pid) - startSeconds) / ((performance.now() - startMs) / 1_000);
}

/** Moves each report through two stages, as the worker does. @returns how late each reader learned of each, in ms */
async function changeStages(
  { database: { db } }: BenchedService,
  bought: readonly BoughtReport[],
  readers: readonly OpenReader[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (const stage of driven) {
    const seen = new Map(readers.map(reader => [reader, reader.events.length]));
    const sentMs = new Map<number, number>();
    for (const { reportId } of bought) {
      sentMs.set(reportId, performance.now());
      await openStage(db, { reportId, stage, of: 4 });
      await pause(changeEveryMs);
    }
    await within(() => readers.every(reader => reader.events.length > (seen.get(reader) ?? 0)));
    for (const reader of readers) {
      const arrived = reader.events[seen.get(reader) ?? 0];
      const sent = sentMs.get(reader.reportId);
      latencies.push(arrived === undefined || sent === undefined ? arriveWithinMs : arrived.atMs - sent);
    }
  }
  return latencies;
}

/** Ends all reports at once. @returns when each reader learned of it after the first began, in ms */
async function endAll(
  { database: { db } }: BenchedService,
  bought: readonly BoughtReport[],
  readers: readonly OpenReader[],
): Promise<number[]> {
  const startMs = performance.now();
  const failure = { failure: 'internal', now: new Date() } as const;
  await Promise.all(
    bought.map(({ reportId }) => db.transaction().execute(tx => failReport(tx, reportId, failure))),
  );
  await within(() => readers.every(({ hasEnded }) => hasEnded()));
  return readers.map(({ events }) => (events.at(-1)?.atMs ?? Number.POSITIVE_INFINITY) - startMs);
}

async function within(isTrue: () => boolean): Promise<void> {
  const untilMs = performance.now() + arriveWithinMs;
  while (!isTrue() && performance.now() < untilMs) await pause(changeEveryMs);
}

/** Every event once, in order, and the end last. */
function isWhole(events: OpenReader['events']): boolean {
  const inOrder = events.every(({ id }, index) => id === index + 1);
  return inOrder && events.filter(({ name }) => name === 'report.failed').length === 1;
}

interface Figures {
  readonly streams: number;
  readonly beforeMiB: number;
  readonly openMiB: number;
  readonly idle: number;
  readonly changing: number;
  readonly ending: number;
  readonly latencies: readonly number[];
  readonly ends: readonly number[];
  readonly faults: number;
}

function resultOf(figures: Figures): Measured {
  const { streams, beforeMiB, openMiB, latencies, ends, faults } = figures;
  const percent = (cores: number) => rounded(100 * cores, 1);
  const [p50, p99] = [rounded(percentile(latencies, 0.5), 1), rounded(percentile(latencies, 0.99), 1)];
  const [end50, end99, endLast] = [0.5, 0.99, 1].map(share => rounded(percentile(ends, share), 0));
  const kib = rounded((1_024 * (openMiB - beforeMiB)) / streams, 1);
  return {
    figures: {
      streams,
      reports,
      api_mib_without_streams: rounded(beforeMiB, 1),
      api_mib_with_streams: rounded(openMiB, 1),
      api_kib_per_stream: kib,
      api_cpu_percent_idle: percent(figures.idle),
      api_cpu_percent_at_20_changes_a_second: percent(figures.changing),
      api_cpu_percent_at_the_end: percent(figures.ending),
      stage_change_ms_p50: p50,
      stage_change_ms_p99: p99,
      ended_at_once_ms_p50: end50,
      ended_at_once_ms_p99: end99,
      ended_at_once_ms_last: endLast,
      streams_not_whole: faults,
    },
    table: {
      head: ['of one API process', 'figure'],
      rows: [
        ['open streams, of reports', `${streams}, ${reports}`],
        ['memory without / with them, MiB', `${rounded(beforeMiB, 1)} / ${rounded(openMiB, 1)}`],
        ['memory a stream, KiB', kib],
        [
          'CPU of a core, quiet / 20 changes a second',
          `${percent(figures.idle)} % / ${percent(figures.changing)} %`,
        ],
        ['a change of stage is read after, p50 / p99, ms', `${p50} / ${p99}`],
        [`${reports} ends at once are read after, p50 / p99 / last, ms`, `${end50} / ${end99} / ${endLast}`],
      ],
    },
    goals: [{ what: 'streams with an event missing, twice or out of order', value: faults, atMost: 0 }],
  };
}
