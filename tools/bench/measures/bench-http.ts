import { z } from 'zod';
import { ReportBuyer } from '../load/report-buyer.js';
import {
  conditionalReadRequests,
  type FinishedReport,
  purchaseRequests,
  readRequests,
} from '../load/report-requests.js';
import { type Comparison, SideBySide } from '../load/side-by-side.js';
import { inLanes } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import type { Measured } from '../results/measurement.js';
import { type RunningProcess, runProcess } from '../services/run-process.js';
import { seedCallers } from '../services/seed-callers.js';
import { type BenchedService, withService } from '../services/with-service.js';

const connections = 32;
/** More than one, so that no key reaches its rate limit. */
const callersPerConnection = 2;
const rounds = 3;
const readSeconds = 4;
const purchasesPerRound = 8;
/** Includes the discarded first round. */
const reportCount = (rounds + 1) * purchasesPerRound;
/** Conditional reads need only a few reports. */
const conditionallyReadReports = 4;

/**
 * Compares reading and selling finished reports with bare routes that run the same queries on the same
 * database.
 */
export function benchHttp(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const reports = await finishReports(service);
    await service.stopWorker();
    const { logFolder } = service;
    const options = { env: { PATH: env['PATH'] }, logFolder };
    const bare = await runProcess({ module: 'tools/bench/bare/bare-server', ...options });
    const generator = await runProcess({ module: 'tools/bench/load/load-generator', ...options });
    try {
      return await measure(service, reports, bare, generator);
    } finally {
      await generator.stop();
      await bare.stop();
    }
  });
}

async function finishReports(service: BenchedService): Promise<FinishedReport[]> {
  const buyer = await ReportBuyer.create(service, reportCount);
  const finished: FinishedReport[] = [];
  await inLanes(reportCount, 10, async () => {
    const bought = await buyer.buy();
    await buyer.untilEnded(bought.reportId);
    finished.push(bought);
  });
  return finished;
}

async function measure(
  service: BenchedService,
  reports: readonly FinishedReport[],
  bare: RunningProcess,
  generator: RunningProcess,
): Promise<Measured> {
  const { databaseUrl, gammaUrl, processes, servers } = service;
  const { url } = urlShape.parse(await bare.request({ databaseUrl, gammaUrl }));
  const sides = new SideBySide({
    generator,
    servers,
    service: { url: service.url, pid: processes.api },
    bare: { url, pid: bare.pid },
  });
  const serviceKeys = await seedGroups(service);
  const bareKeys = await seedGroups(service);
  const sales = await sides.compare(rounds, 200, round => {
    const sold = reports.slice(round * purchasesPerRound, (round + 1) * purchasesPerRound);
    const requests = (groups: Groups) => groups.map(keys => purchaseRequests(keys, sold));
    return { seconds: 120, repeat: false, service: requests(serviceKeys), bare: requests(bareKeys) };
  });
  const reading = (groups: Groups) => groups.map(keys => readRequests(keys, reports));
  const reads = await sides.compare(rounds, 200, () => ({
    seconds: readSeconds,
    repeat: true,
    service: reading(serviceKeys),
    bare: reading(bareKeys),
  }));
  const some = reports.slice(0, conditionallyReadReports);
  const conditional = (baseUrl: string, groups: Groups) =>
    Promise.all(groups.map(keys => conditionalReadRequests(baseUrl, keys, some)));
  const conditionalReads = {
    service: await conditional(service.url, serviceKeys),
    bare: await conditional(url, bareKeys),
  };
  const unchanged = await sides.compare(rounds, 304, () => ({
    seconds: readSeconds,
    repeat: true,
    ...conditionalReads,
  }));
  return resultOf({ reads, unchanged, sales });
}

function resultOf({
  reads,
  unchanged,
  sales,
}: Record<'reads' | 'unchanged' | 'sales', Comparison>): Measured {
  return {
    figures: { connections, reads, reads_of_what_is_known: unchanged, sales_of_cached_reports: sales },
    table: {
      head: [
        '',
        'service ÷ bare',
        'service per second',
        'bare per second',
        'service CPU ms',
        'bare CPU ms',
        'PostgreSQL CPU ms',
      ],
      rows: [
        ['`GET /api/reports/{id}`', ...rowOf(reads)],
        ['the same with `If-None-Match`', ...rowOf(unchanged)],
        ['`POST /api/reports`, cached', ...rowOf(sales)],
      ],
    },
    plots: {
      'bench-http': barPlot({
        title: 'Requests per second relative to the bare route',
        groups: ['read', 'conditional read', 'cached purchase'],
        series: [
          { name: 'service', values: [reads, unchanged, sales].map(each => each.ratio_to_bare_route) },
          { name: 'bare route', values: [1, 1, 1] },
        ],
        line: { name: 'goal', value: minimumRatio },
      }),
    },
    goals: [
      { what: 'reads ÷ reads of the bare route', value: reads.ratio_to_bare_route, atLeast: minimumRatio },
      {
        what: 'the same with `If-None-Match`',
        value: unchanged.ratio_to_bare_route,
        atLeast: minimumConditionalRatio,
      },
      {
        what: 'sales of existing reports ÷ those of the bare route',
        value: sales.ratio_to_bare_route,
        atLeast: minimumSaleRatio,
      },
    ],
  };
}

const minimumRatio = 0.8;
const minimumConditionalRatio = 0.5;
const minimumSaleRatio = 0.65;

function rowOf({ ratio_to_bare_route, service, bare_route }: Comparison): (string | number)[] {
  return [
    ratio_to_bare_route,
    service.requests_per_second,
    bare_route.requests_per_second,
    service.server_cpu_ms_each,
    bare_route.server_cpu_ms_each,
    `${service.postgres_cpu_ms_each} / ${bare_route.postgres_cpu_ms_each}`,
  ];
}

const urlShape = z.object({ url: z.string() });

/** The API keys of each connection. */
type Groups = readonly (readonly string[])[];

async function seedGroups({ database }: BenchedService): Promise<Groups> {
  const callers = await seedCallers(database.db, connections * callersPerConnection);
  return Array.from({ length: connections }, (_, index) =>
    callers
      .slice(index * callersPerConnection, (index + 1) * callersPerConnection)
      .map(({ apiKey }) => apiKey),
  );
}
