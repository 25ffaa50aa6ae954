import { Client, Connection } from '@temporalio/client';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes, steadyLoad } from '../load/steady-load.js';
import { buyTimedReport, type Times } from '../load/timed-report.js';
import { compareSides, type LoadFigures, type Round, type SideFigures } from '../results/compare-sides.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { readDatabases, readUsage } from '../results/service-usage.js';
import { readServers, withoutServers } from '../services/read-servers.js';
import { type BenchedService, withService } from '../services/with-service.js';

/** Reports per round, including the unmeasured ramp-up and ramp-down. The first load also measures the overhead. */
const loads = [
  { inFlight: 1, reports: 40 },
  { inFlight: 10, reports: 120 },
  { inFlight: 50, reports: 300 },
] as const;
const rounds = 3;
const warmUp = { inFlight: 20, reports: 150 } as const;
/** Enough for a median: all histories of a load have nearly the same length. */
const historiesRead = 20;
/** The default, said here because the figures depend on it. */
const deployment = { settings: { EVIDENCE: 'search' } } as const;

/**
 * Measures the service on its embedded servers and on those of the environment: both run all the time and are loaded in
 * turn, so that other load on the machine affects both. Without servers in the environment, only the embedded side.
 */
export function benchCluster(env: NodeJS.ProcessEnv): Promise<Measured> {
  const onEmbedded = (measure: (side: Side) => Promise<Measured>) =>
    withService(withoutServers(env), deployment, async service => measure(await Side.open(service)));
  if (readServers(env) === null) {
    return onEmbedded(async embedded => {
      for (let round = 0; round < rounds; round += 1) await embedded.runRound();
      return compareSides(await embedded.end(), null);
    });
  }
  // The servers of the environment first, because they may be refused.
  return withService(env, deployment, service =>
    onEmbedded(async embedded => {
      const cluster = await Side.open(service);
      for (let round = 0; round < rounds; round += 1) {
        await embedded.runRound();
        await cluster.runRound();
      }
      return compareSides(await embedded.end(), await cluster.end());
    }),
  );
}

class Side {
  private readonly service: BenchedService;
  private readonly buyer: ReportBuyer;
  private readonly rounds: Round[] = [];

  private constructor(service: BenchedService, buyer: ReportBuyer) {
    this.service = service;
    this.buyer = buyer;
  }

  /** Starts it up and warms it up. */
  static async open(service: BenchedService): Promise<Side> {
    const reports = rounds * loads.reduce((sum, load) => sum + load.reports, 0);
    const buyer = await ReportBuyer.create(service, warmUp.reports + reports);
    await service.slowDown([]);
    await inLanes(warmUp.reports, warmUp.inFlight, async () => {
      await buyer.untilEnded((await buyer.buy()).reportId);
    });
    return new Side(service, buyer);
  }

  async runRound(): Promise<void> {
    const { service, buyer } = this;
    const alone: Times[] = [];
    const figures: LoadFigures[] = [];
    const buyAlone = async () => void alone.push(await buyTimedReport(service, buyer));
    const buyBeside = async () => buyer.untilEnded((await buyer.buy()).reportId);
    for (const load of loads) {
      figures.push(await runLoad(service, load, load.inFlight === 1 ? buyAlone : buyBeside));
    }
    this.rounds.push({ alone, loads: figures });
  }

  async end(): Promise<SideFigures> {
    const reports = this.rounds.flatMap(({ alone }) => alone).slice(-historiesRead);
    return {
      rounds: this.rounds,
      events: await eventsOf(
        this.service,
        reports.map(({ reportId }) => reportId),
      ),
      databases: await readDatabases(this.service),
    };
  }
}

async function runLoad(
  service: BenchedService,
  { inFlight, reports }: (typeof loads)[number],
  buyOne: () => Promise<void>,
): Promise<LoadFigures> {
  const { ended, seconds, ...readings } = await steadyLoad({ times: reports, atOnce: inFlight }, buyOne, () =>
    readUsage(service),
  );
  const [first, last] = [await readings.first, await readings.last];
  const cpuMs = Object.entries(last.cpuSeconds).map(
    ([name, cpu]) => [name, rounded((1_000 * (cpu - (first.cpuSeconds[name] ?? 0))) / ended, 1)] as const,
  );
  return {
    in_flight: inFlight,
    reports: ended,
    reports_per_second: rounded(ended / seconds),
    cpu_ms_per_report: Object.fromEntries(cpuMs),
    wal_kib_per_report: rounded((last.walBytes - first.walBytes) / ended / 1_024, 1),
    transactions_per_report: rounded((last.transactions - first.transactions) / ended, 1),
    connections: last.connections,
  };
}

/** The median number of events of these reports' runs. */
async function eventsOf(
  { database, temporalAddress, manifest }: BenchedService,
  reportIds: readonly number[],
): Promise<number> {
  const runs = await database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', 'in', reportIds)
    .execute();
  const connection = await Connection.connect({ address: temporalAddress });
  const { workflow } = new Client({ connection, namespace: manifest.namespace });
  const lengths: number[] = [];
  for (const { workflow_id } of runs) {
    const handle = workflow.getHandle(workflow_id);
    await handle.result();
    lengths.push((await handle.describe()).historyLength);
  }
  await connection.close();
  return median(lengths);
}
