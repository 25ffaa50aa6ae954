import { median, rounded } from '../results/measurement.js';
import { cpuSeconds, familyCpuSeconds } from '../results/process-usage.js';
import type { RunningProcess } from '../services/run-process.js';
import { type LoadRequest, type LoadResult, loadResultShape } from './load.js';

export interface Side {
  readonly url: string;
  readonly pid: number;
}

/** What is sent to each side in one round: a list of requests a connection. */
export interface Round {
  readonly seconds: number;
  readonly again: boolean;
  readonly service: readonly (readonly LoadRequest[])[];
  readonly bare: readonly (readonly LoadRequest[])[];
}

interface Sides {
  readonly generator: RunningProcess;
  readonly postgres: number;
  readonly service: Side;
  readonly bare: Side;
}

export type Comparison = Awaited<ReturnType<SideBySide['compare']>>;

/** Sends the same load to the service and to its bare counterpart in turns, so that whatever else the machine does hits both. */
export class SideBySide {
  private readonly sides: Sides;

  constructor(sides: Sides) {
    this.sides = sides;
  }

  /** The first round is not counted: both are cold in it. */
  async compare(rounds: number, expectedStatus: number, plan: (round: number) => Round) {
    const service: Answered[] = [];
    const bare: Answered[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const { service: ours, bare: theirs, ...how } = plan(round);
      const answered = {
        service: await this.load(this.sides.service, { ...how, expectedStatus, lists: ours }),
        bare: await this.load(this.sides.bare, { ...how, expectedStatus, lists: theirs }),
      };
      if (round === 0) continue;
      service.push(answered.service);
      bare.push(answered.bare);
    }
    const ratios = service.map(
      (each, index) => each.requestsPerSecond / (bare[index]?.requestsPerSecond ?? NaN),
    );
    return {
      ratio_to_bare_route: rounded(median(ratios)),
      ratios_of_all_rounds: ratios.map(ratio => rounded(ratio)),
      service: told(service),
      bare_route: told(bare),
    };
  }

  private async load(side: Side, { lists, expectedStatus, ...how }: Sending): Promise<Answered> {
    const { generator, postgres } = this.sides;
    const cpu = () => ({ server: cpuSeconds(side.pid), postgres: familyCpuSeconds(postgres) });
    const before = cpu();
    const connections = lists.map((requests, index) => ({ localAddress: `127.0.0.${index + 2}`, requests }));
    const result = loadResultShape.parse(await generator.tell({ ...how, url: side.url, connections }));
    const after = cpu();
    const statuses = Object.keys(result.answers);
    if (statuses.join() !== String(expectedStatus)) {
      throw new Error(`${side.url} answered ${JSON.stringify(result.answers)}, not ${expectedStatus} alone`);
    }
    const each = (seconds: number) => (1_000 * seconds) / result.requests;
    return {
      ...result,
      serverCpuMs: each(after.server - before.server),
      postgresCpuMs: each(after.postgres - before.postgres),
    };
  }
}

interface Sending extends Pick<Round, 'seconds' | 'again'> {
  readonly lists: Round['service'];
  readonly expectedStatus: number;
}

interface Answered extends LoadResult {
  readonly serverCpuMs: number;
  readonly postgresCpuMs: number;
}

function told(rounds: readonly Answered[]) {
  const middle = (figure: (round: Answered) => number, digits = 2) =>
    rounded(median(rounds.map(figure)), digits);
  return {
    requests_per_second: middle(({ requestsPerSecond }) => requestsPerSecond, 0),
    p50_ms: middle(({ p50Ms }) => p50Ms),
    p99_ms: middle(({ p99Ms }) => p99Ms),
    bytes_an_answer: middle(({ bytesEach }) => bytesEach, 0),
    server_cpu_ms_each: middle(({ serverCpuMs }) => serverCpuMs),
    postgres_cpu_ms_each: middle(({ postgresCpuMs }) => postgresCpuMs),
  };
}
