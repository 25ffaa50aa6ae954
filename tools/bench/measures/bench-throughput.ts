import { cpus } from 'node:os';
import { type BareFigures, withBareRuns } from '../bare/bare-runs.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { steadyLoad } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import { type Measured, rounded } from '../results/measurement.js';
import { cpuSeconds } from '../results/process-usage.js';
import { postgresCpuSeconds, temporalCpuSeconds } from '../results/server-processes.js';
import { type BenchedService, withService } from '../services/with-service.js';

/** Reports per load level, including the unmeasured ramp-up and ramp-down. */
const loads = [
  { inFlight: 1, reports: 60 },
  { inFlight: 10, reports: 200 },
  { inFlight: 50, reports: 400 },
  { inFlight: 100, reports: 500 },
] as const;
/** Reports and bare runs alternate, because the speed of a shared machine changes within a minute. */
const rounds = 3;
const noOpLoad = { inFlight: 50, reports: 500 } as const;
const bareLoad = { inFlight: 50, runs: 400 } as const;
const warmUpReports = 250;

interface Load {
  readonly inFlight: number;
  readonly reports: number;
}

/**
 * Measures fresh reports per second and the CPU time of each process: with models that do nothing, and with
 * models that answer immediately over HTTP in their vendors' formats.
 */
export async function benchThroughput(env: NodeJS.ProcessEnv): Promise<Measured> {
  const noOpRounds = await withService(env, { noOpModels: true }, runRounds);
  const overHttp = await withService(env, {}, async service => {
    const buyer = await warmUp(
      service,
      loads.reduce((sum, { reports }) => sum + reports, 0),
    );
    const measured: LoadFigures[] = [];
    for (const load of loads) measured.push(await runLoad(service, buyer, load));
    return measured;
  });
  return resultOf(noOpRounds, overHttp);
}

interface Round {
  readonly reports: LoadFigures;
  readonly bare: BareFigures;
}

async function runRounds(service: BenchedService): Promise<Round[]> {
  return withBareRuns(service, async measureBareRuns => {
    const buyer = await warmUp(service, rounds * noOpLoad.reports);
    const results: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const reports = await runLoad(service, buyer, noOpLoad);
      results.push({ reports, bare: await measureBareRuns(bareLoad) });
    }
    return results;
  });
}

async function warmUp(service: BenchedService, reports: number): Promise<ReportBuyer> {
  const buyer = await ReportBuyer.create(service, warmUpReports + reports);
  await service.slowDown([]);
  await runLoad(service, buyer, { inFlight: 20, reports: warmUpReports });
  return buyer;
}

function resultOf(noOpRounds: readonly Round[], measured: readonly LoadFigures[]): Measured {
  const bestRatio = rounded(
    Math.max(...noOpRounds.map(({ reports, bare }) => reports.reports_per_second / bare.runs_per_second)),
  );
  const bestCpuRatio = rounded(
    Math.min(...noOpRounds.map(({ reports, bare }) => reports.cpu_ms_per_report / cpuMsOf(bare))),
  );
  const groups = measured.map(({ in_flight }) => `${in_flight} in flight`);
  const cpuOfEach = (name: ProcessName) => measured.map(({ processes }) => processes[name].cpu_ms_per_report);
  return {
    figures: { no_op_models_and_bare_runs: noOpRounds, by_in_flight: measured },
    table: {
      head: ['in flight', 'reports per second', 'CPU ms per report', ...processNames, 'of all cores'],
      rows: [
        ...noOpRounds.flatMap(round => [rowOf(round.reports, ', no-op models'), bareRowOf(round.bare)]),
        ...measured.map(each => rowOf(each)),
      ],
    },
    plots: {
      'bench-throughput': barPlot({
        title: 'Reports per second, models that answer immediately',
        groups,
        series: [{ name: 'reports per second', values: measured.map(each => each.reports_per_second) }],
      }),
      'bench-cpu': barPlot({
        title: 'CPU milliseconds per report, by process',
        groups,
        series: processNames.map(name => ({ name, values: cpuOfEach(name) })),
        stacked: true,
      }),
    },
    goals: [
      { what: `reports ÷ bare runs, best of ${rounds} rounds`, value: bestRatio, atLeast: goalRatio },
      {
        what: `CPU of a report ÷ CPU of a bare run, best of ${rounds} rounds`,
        value: bestCpuRatio,
        atMost: goalCpuRatio,
      },
    ],
  };
}

const goalRatio = 0.75;
const goalCpuRatio = 1.7;

function cpuMsOf({ temporal_cpu_ms_per_run, worker_and_caller_cpu_ms_per_run }: BareFigures): number {
  return rounded(temporal_cpu_ms_per_run + worker_and_caller_cpu_ms_per_run, 1);
}

function rowOf(each: LoadFigures, models = ''): (string | number)[] {
  return [
    `${each.in_flight}${models}`,
    each.reports_per_second,
    each.cpu_ms_per_report,
    ...processNames.map(name => {
      const { cpu_ms_per_report: ms, share_of_cpu: share } = each.processes[name];
      return Number.isNaN(ms) ? ms : `${ms} (${Math.round(100 * share)} %)`;
    }),
    `${Math.round(100 * each.share_of_all_cores)} %`,
  ];
}

function bareRowOf(bare: BareFigures): (string | number)[] {
  const { temporal_cpu_ms_per_run: temporal, worker_and_caller_cpu_ms_per_run: rest } = bare;
  return [
    `${bare.in_flight}, bare runs`,
    bare.runs_per_second,
    cpuMsOf(bare),
    temporal,
    '',
    rest,
    '',
    '',
    '',
    '',
  ];
}

async function runLoad(service: BenchedService, buyer: ReportBuyer, load: Load) {
  const refusedBefore = buyer.refused;
  const { ended, seconds, first, last } = await steadyLoad(
    { times: load.reports, atOnce: load.inFlight },
    async () => {
      const { reportId } = await buyer.buy();
      await buyer.untilEnded(reportId);
    },
    () => cpuOf(service),
  );
  const used = (name: ProcessName) => last[name] - first[name];
  const total = processNames.map(used).reduce((sum, seconds) => sum + (seconds || 0), 0);
  const usageOf = (name: ProcessName) => ({
    cpu_ms_per_report: rounded((1_000 * used(name)) / ended, 1),
    share_of_cpu: rounded(used(name) / total),
  });
  return {
    in_flight: load.inFlight,
    reports: ended,
    purchases_tried_again: buyer.refused - refusedBefore,
    reports_per_second: rounded(ended / seconds),
    cpu_ms_per_report: rounded((1_000 * total) / ended, 1),
    share_of_all_cores: rounded(total / seconds / cpus().length),
    processes: {
      temporal: usageOf('temporal'),
      postgres: usageOf('postgres'),
      worker: usageOf('worker'),
      api: usageOf('api'),
      outside: usageOf('outside'),
      bench: usageOf('bench'),
    },
  };
}

type LoadFigures = Awaited<ReturnType<typeof runLoad>>;

/** Servers on another machine have no figure. `outside`: the simulated models and the market. `bench`: the callers and the polling for ended reports. */
const processNames = ['temporal', 'postgres', 'worker', 'api', 'outside', 'bench'] as const;
type ProcessName = (typeof processNames)[number];

function cpuOf({ servers, processes }: BenchedService): Record<ProcessName, number> {
  return {
    temporal: temporalCpuSeconds(servers),
    postgres: postgresCpuSeconds(servers),
    worker: cpuSeconds(processes.worker),
    api: cpuSeconds(processes.api),
    outside: cpuSeconds(processes.outside),
    bench: cpuSeconds(process.pid),
  };
}
