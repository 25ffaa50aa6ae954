import { z } from 'zod';
import { ReportBuyer } from '../load/report-buyer.js';
import { knownReadsOf, type MadeReport, readsOf, salesOf } from '../load/report-requests.js';
import { type Comparison, SideBySide } from '../load/side-by-side.js';
import { inLanes } from '../load/steady-load.js';
import { barPlot } from '../results/bar-plot.js';
import type { Measured } from '../results/measurement.js';
import { type RunningProcess, runProcess } from '../services/run-process.js';
import { seedCallers } from '../services/seed-callers.js';
import { type BenchedService, withService } from '../services/with-service.js';

const connections = 32;
/** Several, so that no key comes near to what one may ask in a minute. */
const callersEach = 2;
const rounds = 3;
const readSeconds = 4;
const salesEachRound = 8;
/** Enough for a first round that is not counted, too. */
const reportCount = (rounds + 1) * salesEachRound;
/** A few of them are enough to ask again for what is known. */
const knownReports = 4;

/** Reading and selling finished reports, against bare routes that put the same questions to the same database. */
export function benchHttp(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const reports = await makeReports(service);
    await service.stopWorker();
    const { logFolder } = service;
    const beside = { env: { PATH: env['PATH'] }, logFolder };
    const bare = await runProcess({ module: 'bench/bare/bare-server', ...beside });
    const generator = await runProcess({ module: 'bench/load/load-generator', ...beside });
    try {
      return await measure(service, reports, bare, generator);
    } finally {
      await generator.end();
      await bare.end();
    }
  });
}

async function makeReports(service: BenchedService): Promise<MadeReport[]> {
  const buyer = await ReportBuyer.for(service, reportCount);
  const made: MadeReport[] = [];
  await inLanes(reportCount, 10, async () => {
    const bought = await buyer.buy();
    await buyer.untilEnded(bought.reportId);
    made.push(bought);
  });
  return made;
}

async function measure(
  service: BenchedService,
  reports: readonly MadeReport[],
  bare: RunningProcess,
  generator: RunningProcess,
): Promise<Measured> {
  const { databaseUrl, gammaUrl, processes, pids } = service;
  const { url } = urlShape.parse(await bare.tell({ databaseUrl, gammaUrl }));
  const sides = new SideBySide({
    generator,
    postgres: pids.postgres,
    service: { url: service.url, pid: processes.api },
    bare: { url, pid: bare.pid },
  });
  const ours = await seedGroups(service);
  const theirs = await seedGroups(service);
  const sales = await sides.compare(rounds, 200, round => {
    const sold = reports.slice(round * salesEachRound, (round + 1) * salesEachRound);
    const requests = (groups: Groups) => groups.map(keys => salesOf(keys, sold));
    return { seconds: 120, again: false, service: requests(ours), bare: requests(theirs) };
  });
  const reading = (groups: Groups) => groups.map(keys => readsOf(keys, reports));
  const reads = await sides.compare(rounds, 200, () => ({
    seconds: readSeconds,
    again: true,
    service: reading(ours),
    bare: reading(theirs),
  }));
  const some = reports.slice(0, knownReports);
  const known = (at: string, groups: Groups) => Promise.all(groups.map(keys => knownReadsOf(at, keys, some)));
  const repeated = { service: await known(service.url, ours), bare: await known(url, theirs) };
  const unchanged = await sides.compare(rounds, 304, () => ({
    seconds: readSeconds,
    again: true,
    ...repeated,
  }));
  return told({ reads, unchanged, sales });
}

function told({ reads, unchanged, sales }: Record<'reads' | 'unchanged' | 'sales', Comparison>): Measured {
  return {
    figures: { connections, reads, reads_of_what_is_known: unchanged, sales_of_cached_reports: sales },
    table: {
      head: [
        '',
        'service ÷ bare',
        'service a second',
        'bare a second',
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
        title: 'Requests a second, as a share of the bare route',
        groups: ['read', 'read what is known', 'buy what is cached'],
        series: [
          { name: 'service', values: [reads, unchanged, sales].map(each => each.ratio_to_bare_route) },
          { name: 'bare route', values: [1, 1, 1] },
        ],
        line: { name: 'goal', value: goalOfBare },
      }),
    },
    goals: [
      { what: 'reads ÷ reads of the bare route', value: reads.ratio_to_bare_route, atLeast: goalOfBare },
    ],
  };
}

const goalOfBare = 0.7;

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
  const callers = await seedCallers(database.db, connections * callersEach);
  return Array.from({ length: connections }, (_, index) =>
    callers.slice(index * callersEach, (index + 1) * callersEach).map(({ apiKey }) => apiKey),
  );
}
