import type { SupervisedServer } from '../chaos/deployment/supervised-server.js';
import { childrenOf } from '../chaos/faults/processes.js';
import { readProc } from '../support/machine/proc.js';

const sampleEveryMs = 2_000;

type Running = Pick<SupervisedServer<never>, 'name' | 'pid'>;

/** The most private memory that each kind of process, and all together, had at a sample. */
export class PeakMemory {
  private readonly peaksMiB = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(running: () => readonly Running[]) {
    this.timer = setInterval(() => this.sample(running()), sampleEveryMs).unref();
  }

  /** Ends the sampling. @returns a line for each kind */
  lines(): readonly string[] {
    clearInterval(this.timer);
    return [...this.peaksMiB].map(([kind, peak]) => `Memory at most, ${kind}: ${Math.round(peak)} MiB.`);
  }

  private sample(running: readonly Running[]): void {
    const sums = new Map<string, number>([['everything together', 0]]);
    for (const { name, pid } of running) {
      if (pid === null) continue;
      // PostgreSQL has a process for each connection.
      const pids = name === 'PostgreSQL' ? [pid, ...childrenOf(pid)] : [pid];
      const miB = pids.reduce((sum, each) => sum + privateMiB(each), 0);
      for (const kind of [kindOf(name), 'everything together']) sums.set(kind, (sums.get(kind) ?? 0) + miB);
    }
    for (const [kind, miB] of sums) this.peaksMiB.set(kind, Math.max(miB, this.peaksMiB.get(kind) ?? 0));
  }
}

/** `temporal-history-2` is one of `temporal-history`, `worker-one-4711` one of `worker`. */
function kindOf(name: string): string {
  return /^(temporal-[a-z]+|[A-Za-z]+)/.exec(name)?.[0] ?? name;
}

/** Without what processes share: programs, libraries, and the buffers of PostgreSQL. */
function privateMiB(pid: number): number {
  const [, kib = '0'] = /^RssAnon:\s+(\d+) kB$/m.exec(readProc(pid, 'status')) ?? [];
  return Number(kib) / 1_024;
}
