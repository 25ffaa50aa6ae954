import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { residentMiB } from '../results/process-usage.js';
import { type BenchedService, withService } from '../services/with-service.js';

const levels = [0, 500, 1_000, 2_000] as const;
/** Slow enough that no report ends before the last one is bought. */
const slowModelMs = 120_000;
/** Longer than the whole measurement, so that no member drops out while it waits for a slot. */
const stageDeadlineMs = 1_800_000;
const buyersAtOnce = 12;

/**
 * Measures the memory of API and worker with thousands of reports in flight, and checks that all of them
 * complete.
 */
export function benchInFlight(env: NodeJS.ProcessEnv): Promise<Measured> {
  const deadlines = [stageDeadlineMs, stageDeadlineMs, stageDeadlineMs].join(',');
  const deployment = { settings: { STAGE_DEADLINES_MS: deadlines }, ownModelQueues: true };
  return withService(env, deployment, async service => {
    const reports = Math.max(...levels);
    const buyer = await ReportBuyer.create(service, warmUpReports + reports);
    await warmUp(buyer);
    await service.slowDown([{ ms: slowModelMs }]);
    const startMs = performance.now();
    const measured: Memory[] = [];
    let bought = 0;
    for (const level of levels) {
      await inLanes(level - bought, buyersAtOnce, async () => {
        await buyer.buy();
      });
      bought = level;
      measured.push(await memoryOf(service));
    }
    const buyingSeconds = rounded((performance.now() - startMs) / 1_000, 0);
    await service.slowDown([]);
    await untilNoneInFlight(service);
    const allSeconds = rounded((performance.now() - startMs) / 1_000, 0);
    return resultOf(measured, { buyingSeconds, allSeconds, ...(await countEndings(service)) });
  });
}

const warmUpReports = 50;

/** Excludes memory that a process allocates once. */
async function warmUp(buyer: ReportBuyer): Promise<void> {
  await inLanes(warmUpReports, buyersAtOnce, async () => {
    const { reportId } = await buyer.buy();
    await buyer.untilEnded(reportId);
  });
}

async function memoryOf(service: BenchedService) {
  const samples = [];
  for (let i = 0; i < sampleCount; i += 1) {
    await pause(sampleIntervalMs);
    samples.push({ worker: residentMiB(service.processes.worker), api: residentMiB(service.processes.api) });
  }
  return {
    in_flight: await countInFlight(service),
    worker_mib: rounded(median(samples.map(({ worker }) => worker)), 1),
    api_mib: rounded(median(samples.map(({ api }) => api)), 1),
  };
}

const sampleCount = 5;
const sampleIntervalMs = 500;

type Memory = Awaited<ReturnType<typeof memoryOf>>;

async function countInFlight({ database }: BenchedService): Promise<number> {
  const { count } = await database.db
    .selectFrom('reports')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('status', 'in', ['pending', 'processing'])
    .executeTakeFirstOrThrow();
  return count;
}

async function untilNoneInFlight(service: BenchedService): Promise<void> {
  while ((await countInFlight(service)) > 0) await pause(sampleIntervalMs);
}

/** Counts how the reports ended. */
async function countEndings({ database: { db } }: BenchedService) {
  const count = async (which: RawBuilder<boolean>) => {
    const { reports } = await db
      .selectFrom('reports')
      .select(eb => eb.fn.countAll<number>().as('reports'))
      .where(which)
      .executeTakeFirstOrThrow();
    return reports;
  };
  const { drift } = await auditBooks(db, new Date());
  return {
    completed: await count(sql`status = 'completed'`),
    notCompleted: await count(sql`status <> 'completed'`),
    degraded: await count(sql`dropouts::text <> '[]'`),
    drift: drift.length,
  };
}

interface Ending extends Awaited<ReturnType<typeof countEndings>> {
  readonly buyingSeconds: number;
  readonly allSeconds: number;
}

function resultOf(measured: readonly Memory[], ending: Ending): Measured {
  const kib = kibPerReport(measured);
  return {
    figures: {
      model_ms: slowModelMs,
      memory: measured,
      worker_kib_per_report: kib('worker_mib'),
      api_kib_per_report: kib('api_mib'),
      seconds_to_buy_all: ending.buyingSeconds,
      seconds_until_all_ended: ending.allSeconds,
      completed: ending.completed,
      not_completed: ending.notCompleted,
      degraded: ending.degraded,
      ledger_drift: ending.drift,
    },
    table: {
      head: ['in flight', 'worker MiB', 'API MiB'],
      rows: [
        ...measured.map(each => [each.in_flight, each.worker_mib, each.api_mib]),
        ['KiB per report', kib('worker_mib'), kib('api_mib')],
      ],
    },
    plots: {
      'bench-in-flight': barPlot({
        title: 'Resident MiB by reports in flight',
        groups: measured.map(each => `${each.in_flight} in flight`),
        series: [
          { name: 'worker', values: measured.map(each => each.worker_mib) },
          { name: 'API', values: measured.map(each => each.api_mib) },
        ],
      }),
    },
    goals: [
      {
        what: 'reports in flight at once',
        value: measured.at(-1)?.in_flight ?? 0,
        atLeast: Math.max(...levels),
      },
      { what: 'reports that did not complete', value: ending.notCompleted, atMost: 0 },
      { what: 'reports that lost a member', value: ending.degraded, atMost: 0 },
      { what: 'problems found by the ledger audit', value: ending.drift, atMost: 0 },
    ],
  };
}

/** The slope between the lowest and the highest load, which excludes the memory of an idle process. */
function kibPerReport(measured: readonly Memory[]): (process: 'worker_mib' | 'api_mib') => number {
  const [, first] = measured;
  const last = measured.at(-1);
  return process =>
    first === undefined || last === undefined
      ? Number.NaN
      : rounded((1_024 * (last[process] - first[process])) / (last.in_flight - first.in_flight), 1);
}
