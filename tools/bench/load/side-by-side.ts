import { median, rounded } from '../results/measurement.js';
import { cpuSeconds } from '../results/process-usage.js';
import { postgresCpuSeconds, type ServerProcesses } from '../results/server-processes.js';
import type { RunningProcess } from '../services/run-process.js';
import { type LoadRequest, type LoadResult, loadResultShape } from './load.js';

export interface Side {
  readonly url: string;
  readonly pid: number;
}

/** The load of one round: a list of requests per connection for each side. */
export interface Round {
  readonly seconds: number;
  readonly repeat: boolean;
  readonly service: readonly (readonly LoadRequest[])[];
  readonly bare: readonly (readonly LoadRequest[])[];
}

interface Sides {
  readonly generator: RunningProcess;
  readonly servers: ServerProcesses;
  readonly service: Side;
  readonly bare: Side;
}

export type Comparison = Awaited<ReturnType<SideBySide['compare']>>;

/**
 * Sends the same load to the service and the bare server alternately, so that other load on the machine
 * affects both.
 */
export class SideBySide {
  private readonly sides: Sides;

  constructor(sides: Sides) {
    this.sides = sides;
  }

  /** Discards the first round, in which both sides are cold. */
  async compare(rounds: number, expectedStatus: number, plan: (round: number) => Round) {
    const service: SideResult[] = [];
    const bare: SideResult[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const { service: serviceLists, bare: bareLists, ...timing } = plan(round);
      const ofService = await this.load(this.sides.service, {
        ...timing,
        expectedStatus,
        lists: serviceLists,
      });
      const ofBare = await this.load(this.sides.bare, { ...timing, expectedStatus, lists: bareLists });
      if (round === 0) continue;
      service.push(ofService);
      bare.push(ofBare);
    }
    const ratios = service.map(
      (each, index) => each.requestsPerSecond / (bare[index]?.requestsPerSecond ?? NaN),
    );
    return {
      ratio_to_bare_route: rounded(median(ratios)),
      ratios_of_all_rounds: ratios.map(ratio => rounded(ratio)),
      service: summarize(service),
      bare_route: summarize(bare),
    };
  }

  private async load(side: Side, { lists, expectedStatus, ...timing }: SideLoad): Promise<SideResult> {
    const { generator, servers } = this.sides;
    const cpu = () => ({ server: cpuSeconds(side.pid), postgres: postgresCpuSeconds(servers) });
    const before = cpu();
    const connections = lists.map((requests, index) => ({ localAddress: `127.0.0.${index + 2}`, requests }));
    const result = loadResultShape.parse(await generator.request({ ...timing, url: side.url, connections }));
    const after = cpu();
    const statuses = Object.keys(result.statuses);
    if (statuses.join() !== String(expectedStatus)) {
      throw new Error(`${side.url} responded ${JSON.stringify(result.statuses)}, not only ${expectedStatus}`);
    }
    const perRequest = (seconds: number) => (1_000 * seconds) / result.requests;
    return {
      ...result,
      serverCpuMs: perRequest(after.server - before.server),
      postgresCpuMs: perRequest(after.postgres - before.postgres),
    };
  }
}

interface SideLoad extends Pick<Round, 'seconds' | 'repeat'> {
  readonly lists: Round['service'];
  readonly expectedStatus: number;
}

interface SideResult extends LoadResult {
  readonly serverCpuMs: number;
  readonly postgresCpuMs: number;
}

function summarize(rounds: readonly SideResult[]) {
  const medianOf = (figure: (round: SideResult) => number, digits = 2) =>
    rounded(median(rounds.map(figure)), digits);
  return {
    requests_per_second: medianOf(({ requestsPerSecond }) => requestsPerSecond, 0),
    p50_ms: medianOf(({ p50Ms }) => p50Ms),
    p99_ms: medianOf(({ p99Ms }) => p99Ms),
    bytes_an_answer: medianOf(({ bytesPerResponse }) => bytesPerResponse, 0),
    server_cpu_ms_each: medianOf(({ serverCpuMs }) => serverCpuMs),
    postgres_cpu_ms_each: medianOf(({ postgresCpuMs }) => postgresCpuMs),
  };
}
