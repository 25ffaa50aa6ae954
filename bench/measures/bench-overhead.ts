import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { stages } from '../../council/deliberation/stages.js';
import type { Db } from '../../db/database.js';
import { type BoughtReport, ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import { type Measured, median, percentile, rounded } from '../results/measurement.js';
import { type BenchedService, withService } from '../services/with-service.js';

/** Slow models leave the machine idle: several reports at once, begun apart, are as good as one after the other. */
const settings = [
  { modelMs: 0, reports: 60, lanes: 1 },
  { modelMs: 500, reports: 40, lanes: 4 },
  { modelMs: 5_000, reports: 40, lanes: 10 },
] as const;
const warmUpReports = 20;

/** How much longer a report takes than its models, at models of different speeds. */
export function benchOverhead(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const all = settings.reduce((sum, { reports }) => sum + reports, warmUpReports);
    const buyer = await ReportBuyer.for(service, all);
    await runReports(service, buyer, { modelMs: 0, reports: warmUpReports, lanes: 2 });
    const measured: Summary[] = [];
    for (const setting of settings) {
      measured.push(summary(setting, await runReports(service, buyer, setting)));
    }
    return told(measured);
  });
}

function told(measured: readonly Summary[]): Measured {
  const quick = measured.find(({ model_ms }) => model_ms === 0);
  const slow = measured.find(({ model_ms }) => model_ms === 5_000);
  const both = ({ p50, p95 }: { p50: number; p95: number }) => `${p50} / ${p95}`;
  return {
    figures: { by_model_latency: measured },
    table: {
      head: [
        'models answer in',
        'models ms',
        'report ms',
        'overhead ms',
        'report ÷ models',
        'caller: overhead ms',
        'caller: ÷ models',
      ],
      rows: measured.map(each => [
        `${each.model_ms / 1_000} s`,
        both(each.models_ms),
        both(each.wall_ms),
        both(each.overhead_ms),
        both(each.wall_to_models),
        both(each.as_called_overhead_ms),
        both(each.as_called_to_models),
      ]),
    },
    plots: { 'bench-overhead': plotOf(measured) },
    goals: [
      {
        what: 'median overhead at models of 0 s, ms',
        value: quick?.overhead_ms.p50 ?? Infinity,
        atMost: goalAtOnceMs,
      },
      {
        what: 'median report ÷ models at models of 5 s',
        value: slow?.wall_to_models.p50 ?? Infinity,
        atMost: 1.02,
      },
    ],
  };
}

const goalAtOnceMs = 150;

function plotOf(measured: readonly Summary[]): string {
  const own = (of: 'p50' | 'p95') => measured.map(({ overhead_ms }) => overhead_ms[of]);
  const called = (of: 'p50' | 'p95') =>
    measured.map(({ as_called_overhead_ms }) => as_called_overhead_ms[of]);
  return barPlot({
    title: 'Milliseconds a report takes longer than its models',
    groups: measured.map(({ model_ms }) => `models of ${model_ms / 1_000} s`),
    series: [
      { name: 'report, p50', values: own('p50') },
      { name: 'report, p95', values: own('p95') },
      { name: 'caller, p50', values: called('p50') },
      { name: 'caller, p95', values: called('p95') },
    ],
    line: { name: 'goal at 0 s', value: goalAtOnceMs },
  });
}

interface Setting {
  readonly modelMs: number;
  readonly reports: number;
  readonly lanes: number;
}

/** Milliseconds of one report. */
interface Times {
  /** The slowest member of each stage, added up: less than that no order of steps could take. */
  readonly models: number;
  /** From the charge to the stored report. */
  readonly wall: number;
  /** From sending the purchase to holding the finished report, as a caller who prefers to wait sees it. */
  readonly asCalled: number;
}

async function runReports(service: BenchedService, buyer: ReportBuyer, setting: Setting): Promise<Times[]> {
  const { modelMs, reports, lanes } = setting;
  await service.slowDown([{ ms: modelMs }]);
  const times: Times[] = [];
  await inLanes(reports, lanes, async index => {
    // Apart, so that they do not all want the machine in the same moment.
    if (index < lanes) await pause((index * modelMs) / lanes);
    const begunMs = performance.now();
    const bought = await buyer.buy();
    await readUntilEnded(service.url, bought);
    const asCalled = performance.now() - begunMs;
    times.push({ ...(await timesOf(service.database.db, bought.reportId)), asCalled });
  });
  return times;
}

const statusShape = z.object({ status: z.string() });

async function readUntilEnded(url: string, { reportId, apiKey }: BoughtReport): Promise<void> {
  for (;;) {
    const headers = { 'x-api-key': apiKey, prefer: 'wait=50' };
    const response = await fetch(`${url}/api/reports/${reportId}`, { headers });
    const { status } = statusShape.parse(await response.json());
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`report ${reportId} failed`);
  }
}

async function timesOf(db: Db, reportId: number): Promise<Omit<Times, 'asCalled'>> {
  const { created_at, ended_at } = await db
    .selectFrom('reports')
    .select(['created_at', 'ended_at'])
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  const slowest = await db
    .selectFrom('stage_results')
    .select(eb => ['stage', eb.fn.max('latency_ms').as('ms')])
    .where('report_id', '=', reportId)
    .groupBy('stage')
    .execute();
  if (slowest.length !== stages.length || ended_at === null)
    throw new Error(`report ${reportId} is not whole`);
  return {
    models: slowest.reduce((sum, { ms }) => sum + ms, 0),
    wall: ended_at.getTime() - created_at.getTime(),
  };
}

type Summary = ReturnType<typeof summary>;

function summary({ modelMs, reports, lanes }: Setting, times: readonly Times[]) {
  const both = (values: readonly number[], digits: number) => ({
    p50: rounded(median(values), digits),
    p95: rounded(percentile(values, 0.95), digits),
  });
  const asleep = stages.length * modelMs;
  return {
    model_ms: modelMs,
    reports,
    at_once: lanes,
    models_ms: both(
      times.map(({ models }) => models),
      0,
    ),
    wall_ms: both(
      times.map(({ wall }) => wall),
      0,
    ),
    overhead_ms: both(
      times.map(({ wall, models }) => wall - models),
      0,
    ),
    overhead_over_set_latency_ms: both(
      times.map(({ wall }) => wall - asleep),
      0,
    ),
    wall_to_models: both(
      times.map(({ wall, models }) => wall / models),
      3,
    ),
    as_called_ms: both(
      times.map(({ asCalled }) => asCalled),
      0,
    ),
    as_called_overhead_ms: both(
      times.map(({ asCalled, models }) => asCalled - models),
      0,
    ),
    as_called_to_models: both(
      times.map(({ asCalled, models }) => asCalled / models),
      3,
    ),
  };
}
