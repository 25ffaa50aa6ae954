import { cpus } from 'node:os';
import { type BareFigures, withBareRuns } from '../bare/bare-runs.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { steadyLoad } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import { type Measured, rounded } from '../results/measurement.js';
import { cpuSeconds, familyCpuSeconds } from '../results/process-usage.js';
import { type BenchedService, withService } from '../services/with-service.js';

/** How many reports are run with how many in flight; the first and the last of them fill the lanes and are not measured. */
const loads = [
  { inFlight: 1, reports: 60 },
  { inFlight: 10, reports: 200 },
  { inFlight: 50, reports: 400 },
  { inFlight: 100, reports: 500 },
] as const;
/** In turns: these machines differ from themselves within a minute, so that one turn says little, and one without the other nothing. */
const noOpTurns = 3;
const noOpLoad = { inFlight: 50, reports: 500 } as const;
const bareLoad = { inFlight: 50, runs: 400 } as const;
const warmUpReports = 250;

interface Load {
  readonly inFlight: number;
  readonly reports: number;
}

/**
 * How many fresh reports a second come out, and whose CPU time they take: with models that do nothing, and with models
 * that answer at once, but over HTTP and in their vendors' formats.
 */
export async function benchThroughput(env: NodeJS.ProcessEnv): Promise<Measured> {
  const turns = await withService(env, { noOpModels: true }, takeTurns);
  const overHttp = await withService(env, {}, async service => {
    const buyer = await warmedUp(
      service,
      loads.reduce((sum, { reports }) => sum + reports, 0),
    );
    const measured: LoadFigures[] = [];
    for (const load of loads) measured.push(await runLoad(service, buyer, load));
    return measured;
  });
  return told(turns, overHttp);
}

interface Turn {
  readonly reports: LoadFigures;
  readonly bare: BareFigures;
}

async function takeTurns(service: BenchedService): Promise<Turn[]> {
  return withBareRuns(service, async measureBareRuns => {
    const buyer = await warmedUp(service, noOpTurns * noOpLoad.reports);
    const turns: Turn[] = [];
    for (let turn = 0; turn < noOpTurns; turn += 1) {
      const reports = await runLoad(service, buyer, noOpLoad);
      turns.push({ reports, bare: await measureBareRuns(bareLoad) });
    }
    return turns;
  });
}

async function warmedUp(service: BenchedService, reports: number): Promise<ReportBuyer> {
  const buyer = await ReportBuyer.for(service, warmUpReports + reports);
  await service.slowDown([]);
  await runLoad(service, buyer, { inFlight: 20, reports: warmUpReports });
  return buyer;
}

function told(turns: readonly Turn[], measured: readonly LoadFigures[]): Measured {
  const fastest = Math.max(...turns.map(({ reports }) => reports.reports_per_second));
  const groups = measured.map(({ in_flight }) => `${in_flight} in flight`);
  const cpuOfEach = (name: ProcessName) => measured.map(({ processes }) => processes[name].cpu_ms_per_report);
  return {
    figures: { no_op_models_and_bare_runs: turns, by_in_flight: measured },
    table: {
      head: ['in flight', 'reports a second', 'CPU ms a report', ...processNames, 'of all cores'],
      rows: [
        ...turns.flatMap(turn => [rowOf(turn.reports, ', no-op models'), bareRowOf(turn.bare)]),
        ...measured.map(each => rowOf(each)),
      ],
    },
    plots: {
      'bench-throughput': barPlot({
        title: 'Reports a second, models that answer at once',
        groups,
        series: [{ name: 'reports a second', values: measured.map(each => each.reports_per_second) }],
        line: { name: 'goal', value: goalPerSecond },
      }),
      'bench-cpu': barPlot({
        title: 'CPU milliseconds a report, by process',
        groups,
        series: processNames.map(name => ({ name, values: cpuOfEach(name) })),
        stacked: true,
      }),
    },
    goals: [
      {
        what: `reports a second with 50 in flight and no-op models, the best of ${noOpTurns} turns`,
        value: fastest,
        atLeast: goalPerSecond,
      },
    ],
  };
}

const goalPerSecond = 15;

function rowOf(each: LoadFigures, models = ''): (string | number)[] {
  return [
    `${each.in_flight}${models}`,
    each.reports_per_second,
    each.cpu_ms_per_report,
    ...processNames.map(name => {
      const { cpu_ms_per_report: ms, share_of_cpu: share } = each.processes[name];
      return `${ms} (${Math.round(100 * share)} %)`;
    }),
    `${Math.round(100 * each.share_of_all_cores)} %`,
  ];
}

function bareRowOf(bare: BareFigures): (string | number)[] {
  const { temporal_cpu_ms_per_run: temporal, worker_and_caller_cpu_ms_per_run: rest } = bare;
  const total = rounded(temporal + rest, 1);
  return [`${bare.in_flight}, bare runs`, bare.runs_per_second, total, temporal, '', rest, '', '', '', ''];
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
  const total = processNames.reduce((sum, name) => sum + used(name), 0);
  const told = (name: ProcessName) => ({
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
      temporal: told('temporal'),
      postgres: told('postgres'),
      worker: told('worker'),
      api: told('api'),
      outside: told('outside'),
      bench: told('bench'),
    },
  };
}

type LoadFigures = Awaited<ReturnType<typeof runLoad>>;

/** `outside`: the simulated models and the market. `bench`: whoever buys, and looks whether reports have ended. */
const processNames = ['temporal', 'postgres', 'worker', 'api', 'outside', 'bench'] as const;
type ProcessName = (typeof processNames)[number];

function cpuOf({ pids, processes }: BenchedService): Record<ProcessName, number> {
  return {
    temporal: cpuSeconds(pids.temporal),
    postgres: familyCpuSeconds(pids.postgres),
    worker: cpuSeconds(processes.worker),
    api: cpuSeconds(processes.api),
    outside: cpuSeconds(processes.outside),
    bench: cpuSeconds(process.pid),
  };
}
