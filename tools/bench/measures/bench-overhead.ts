import { setTimeout as pause } from 'node:timers/promises';
import { progressStages } from '../../../council/deliberation/stages.js';
import { withBareRuns } from '../bare/bare-runs.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { buyTimedReport, type Times } from '../load/timed-report.js';
import { barPlot } from '../results/bar-plot.js';
import { type Goal, type Measured, median, percentile, rounded } from '../results/measurement.js';
import { type BenchedService, withService } from '../services/with-service.js';

/** With slow models, the machine is mostly idle, so several staggered reports can run concurrently. */
const settings = [
  { modelMs: 0, reports: 60, lanes: 1 },
  { modelMs: 500, reports: 40, lanes: 4 },
  { modelMs: 5_000, reports: 40, lanes: 10 },
] as const;
const warmUpReports = 20;
/** Measured right before the reports of 0 s models, because the speed of a shared machine changes within a minute. */
const bareRuns = 60;

/**
 * Measures how much longer a report takes than its models, for models of different speeds, and what of it Temporal alone
 * takes for the same steps.
 */
export function benchOverhead(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const all = settings.reduce((sum, { reports }) => sum + reports, warmUpReports);
    const buyer = await ReportBuyer.create(service, all);
    await runReports(service, buyer, { modelMs: 0, reports: warmUpReports, lanes: 2 });
    const bareRunMs = await withBareRuns(service, async measureBareRuns => {
      const { runs_per_second } = await measureBareRuns({ inFlight: 1, runs: bareRuns });
      return rounded(1_000 / runs_per_second, 0);
    });
    const measured: Summary[] = [];
    for (const setting of settings) {
      measured.push(summary(setting, await runReports(service, buyer, setting)));
    }
    return resultOf(measured, bareRunMs);
  });
}

function resultOf(measured: readonly Summary[], bareRunMs: number): Measured {
  const both = ({ p50, p95 }: { p50: number; p95: number }) => `${p50} / ${p95}`;
  return {
    figures: { by_model_latency: measured, bare_run_ms: bareRunMs },
    table: {
      head: [
        'models answer in',
        'models ms',
        'report ms',
        'overhead ms',
        'report ÷ models',
        'caller: overhead ms',
        'caller: ÷ models',
        'caller: overhead ÷ bare run',
        'caller: learns of the end after ms',
      ],
      rows: measured.map(each => [
        `${each.model_ms / 1_000} s`,
        both(each.models_ms),
        both(each.wall_ms),
        both(each.overhead_ms),
        both(each.wall_to_models),
        both(each.as_called_overhead_ms),
        both(each.as_called_to_models),
        each.model_ms === 0 ? rounded(each.as_called_overhead_ms.p50 / bareRunMs) : '',
        both(each.learned_after_ms),
      ]),
    },
    plots: { 'bench-overhead': plotOf(measured, bareRunMs) },
    goals: goalsOf(measured, bareRunMs),
  };
}

function goalsOf(measured: readonly Summary[], bareRunMs: number): readonly Goal[] {
  const quick = measured.find(({ model_ms }) => model_ms === 0);
  const slow = measured.find(({ model_ms }) => model_ms === 5_000);
  return [
    {
      what: 'median overhead of the caller with 0 s models ÷ a bare run',
      value: rounded((quick?.as_called_overhead_ms.p50 ?? Infinity) / bareRunMs),
      atMost: bareRunsMax,
    },
    {
      what: 'median report ÷ models with 5 s models',
      value: slow?.wall_to_models.p50 ?? Infinity,
      atMost: 1.02,
    },
  ];
}

const bareRunsMax = 1.6;

function plotOf(measured: readonly Summary[], bareRunMs: number): string {
  const own = (of: 'p50' | 'p95') => measured.map(({ overhead_ms }) => overhead_ms[of]);
  const called = (of: 'p50' | 'p95') =>
    measured.map(({ as_called_overhead_ms }) => as_called_overhead_ms[of]);
  return barPlot({
    title: 'Overhead of a report over its models, ms',
    groups: measured.map(({ model_ms }) => `${model_ms / 1_000} s models`),
    series: [
      { name: 'report, p50', values: own('p50') },
      { name: 'report, p95', values: own('p95') },
      { name: 'caller, p50', values: called('p50') },
      { name: 'caller, p95', values: called('p95') },
    ],
    line: { name: 'goal at 0 s', value: rounded(bareRunsMax * bareRunMs, 0) },
  });
}

interface Setting {
  readonly modelMs: number;
  readonly reports: number;
  readonly lanes: number;
}

async function runReports(service: BenchedService, buyer: ReportBuyer, setting: Setting): Promise<Times[]> {
  const { modelMs, reports, lanes } = setting;
  await service.slowDown([{ ms: modelMs }]);
  const times: Times[] = [];
  await inLanes(reports, lanes, async index => {
    // Staggered, so that the reports do not need the CPU at the same time.
    if (index < lanes) await pause((index * modelMs) / lanes);
    times.push(await buyTimedReport(service, buyer));
  });
  return times;
}

type Summary = ReturnType<typeof summary>;

function summary({ modelMs, reports, lanes }: Setting, times: readonly Times[]) {
  const spread = (digits: number, figure: (each: Times) => number) => {
    const values = times.map(figure);
    return { p50: rounded(median(values), digits), p95: rounded(percentile(values, 0.95), digits) };
  };
  return {
    model_ms: modelMs,
    reports,
    at_once: lanes,
    models_ms: spread(0, ({ models }) => models),
    wall_ms: spread(0, ({ wall }) => wall),
    overhead_ms: spread(0, ({ wall, models }) => wall - models),
    overhead_over_set_latency_ms: spread(0, ({ wall }) => wall - progressStages.length * modelMs),
    wall_to_models: spread(3, ({ wall, models }) => wall / models),
    as_called_ms: spread(0, ({ asCalled }) => asCalled),
    as_called_overhead_ms: spread(0, ({ asCalled, models }) => asCalled - models),
    learned_after_ms: spread(0, ({ learnedAfter }) => learnedAfter),
    as_called_to_models: spread(3, ({ asCalled, models }) => asCalled / models),
  };
}
