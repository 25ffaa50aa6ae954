import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { auditBooks } from '../../db/audit/audit-books.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { residentMiB } from '../results/process-usage.js';
import { type BenchedService, withService } from '../services/with-service.js';

const levels = [0, 500, 1_000, 2_000] as const;
/** So slow that none of them comes to its end before the last is bought. */
const slowModelMs = 120_000;
/** Longer than the whole measurement: nobody is to drop out for having had to wait for a slot. */
const stageDeadlineMs = 1_800_000;
const buyersAtOnce = 12;

/** What thousands of reports in flight on slow models take of the memory of API and worker, and that all of them end well. */
export function benchInFlight(env: NodeJS.ProcessEnv): Promise<Measured> {
  const deadlines = [stageDeadlineMs, stageDeadlineMs, stageDeadlineMs].join(',');
  const deployment = { settings: { STAGE_DEADLINES_MS: deadlines }, ownModelQueues: true };
  return withService(env, deployment, async service => {
    const most = Math.max(...levels);
    const buyer = await ReportBuyer.for(service, warmUpReports + most);
    await warmUp(buyer);
    await service.slowDown([{ ms: slowModelMs }]);
    const begunMs = performance.now();
    const measured: Memory[] = [];
    let bought = 0;
    for (const level of levels) {
      await inLanes(level - bought, buyersAtOnce, async () => {
        await buyer.buy();
      });
      bought = level;
      measured.push(await memoryOf(service));
    }
    const buyingSeconds = rounded((performance.now() - begunMs) / 1_000, 0);
    await service.slowDown([]);
    await untilNoneInFlight(service);
    const allSeconds = rounded((performance.now() - begunMs) / 1_000, 0);
    return told(measured, { buyingSeconds, allSeconds, ...(await endingOf(service)) });
  });
}

const warmUpReports = 50;

/** What a process takes once it has done everything once is not what a report takes. */
async function warmUp(buyer: ReportBuyer): Promise<void> {
  await inLanes(warmUpReports, buyersAtOnce, async () => {
    const { reportId } = await buyer.buy();
    await buyer.untilEnded(reportId);
  });
}

async function memoryOf(service: BenchedService) {
  const samples = [];
  for (let i = 0; i < samplesEach; i += 1) {
    await pause(betweenSamplesMs);
    samples.push({ worker: residentMiB(service.processes.worker), api: residentMiB(service.processes.api) });
  }
  return {
    in_flight: await countInFlight(service),
    worker_mib: rounded(median(samples.map(({ worker }) => worker)), 1),
    api_mib: rounded(median(samples.map(({ api }) => api)), 1),
  };
}

const samplesEach = 5;
const betweenSamplesMs = 500;

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
  while ((await countInFlight(service)) > 0) await pause(betweenSamplesMs);
}

/** How all of them have ended. */
async function endingOf({ database: { db } }: BenchedService) {
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
    lost: await count(sql`status <> 'completed'`),
    degraded: await count(sql`dropouts::text <> '[]'`),
    drift: drift.length,
  };
}

interface Ending extends Awaited<ReturnType<typeof endingOf>> {
  readonly buyingSeconds: number;
  readonly allSeconds: number;
}

function told(measured: readonly Memory[], ending: Ending): Measured {
  const kibEach = kibPerReport(measured);
  return {
    figures: {
      model_ms: slowModelMs,
      memory: measured,
      worker_kib_per_report: kibEach('worker_mib'),
      api_kib_per_report: kibEach('api_mib'),
      seconds_to_buy_all: ending.buyingSeconds,
      seconds_until_all_ended: ending.allSeconds,
      completed: ending.completed,
      not_completed: ending.lost,
      degraded: ending.degraded,
      ledger_drift: ending.drift,
    },
    table: {
      head: ['in flight', 'worker MiB', 'API MiB'],
      rows: [
        ...measured.map(each => [each.in_flight, each.worker_mib, each.api_mib]),
        ['KiB a report', kibEach('worker_mib'), kibEach('api_mib')],
      ],
    },
    plots: {
      'bench-in-flight': barPlot({
        title: 'Resident MiB with reports in flight',
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
      { what: 'reports that did not complete', value: ending.lost, atMost: 0 },
      { what: 'reports that lost a member', value: ending.degraded, atMost: 0 },
      { what: 'sentences of drift in the books', value: ending.drift, atMost: 0 },
    ],
  };
}

/** Between the lowest load and the highest: what a process takes to begin with is left out. */
function kibPerReport(measured: readonly Memory[]): (process: 'worker_mib' | 'api_mib') => number {
  const [, first] = measured;
  const last = measured.at(-1);
  return process =>
    first === undefined || last === undefined
      ? Number.NaN
      : rounded((1_024 * (last[process] - first[process])) / (last.in_flight - first.in_flight), 1);
}
