import { setTimeout as pause } from 'node:timers/promises';
import { allPids, readProc } from '../../support/machine/proc.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Destination } from '../deployment/network.js';
import type { ScheduledFault, Target } from './schedule.js';

type Of<Kind extends ScheduledFault['kind']> = Extract<ScheduledFault, { kind: Kind }>;

/** Clients need this long to reconnect after PostgreSQL is back. */
const recoveryMs = 4_000;

/** Injects each fault of a schedule at its time. */
export class FaultInjector {
  private readonly deployment: Deployment;
  /** Failures of the test suite itself. */
  readonly faults: unknown[] = [];

  constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  async run(schedule: readonly ScheduledFault[]): Promise<void> {
    const begunAt = Date.now();
    await Promise.all(
      schedule.map(async scheduled => {
        await pause(scheduled.atMs - (Date.now() - begunAt));
        await this.inject(scheduled).catch((error: unknown) => void this.faults.push(error));
      }),
    );
  }

  private async inject(scheduled: ScheduledFault): Promise<void> {
    switch (scheduled.kind) {
      case 'kill':
        return this.kill(scheduled);
      case 'pause':
        return this.pause(scheduled);
      case 'line':
        return this.line(scheduled);
      case 'vendor':
        return this.vendor(scheduled);
      case 'market':
        return this.market(scheduled);
      case 'operator':
        return this.operator(scheduled);
    }
  }

  private async kill({ who, share }: Of<'kill'>): Promise<void> {
    const targets = this.targets(who, share);
    if (targets.length === 0) return this.deployment.timeline.note(`nothing to kill: ${who}`);
    const isDatabase = who === 'postgres' || who === 'backend' || who === 'everything';
    const over = isDatabase ? this.deployment.timeline.beginSlowPeriod() : () => undefined;
    this.deployment.timeline.note(
      `kill -9 ${who} (${targets.map(({ name }) => name).join(', ')})`,
      `kill -9 ${who}`,
    );
    for (const target of targets) target.kill();
    if (!isDatabase) return;
    await this.untilDatabaseAnswers();
    over();
  }

  private targets(who: Target, share: number) {
    const { deployment } = this;
    const ours = (kind: string) =>
      deployment.processes
        .filter(({ name, pid }) => pid !== null && name.startsWith(kind))
        .map(each => ({ name: each.name, kill: () => deployment.kill(each) }));
    const server = (name: string, pid: number | null) =>
      pid === null ? [] : [{ name: `${name} ${pid}`, kill: () => signal(pid, 'SIGKILL') }];
    const one = <Item>(items: readonly Item[]) => items.slice(Math.floor(share * items.length)).slice(0, 1);
    const { postgres, temporal } = deployment.servers;
    switch (who) {
      case 'api':
      case 'worker':
        return one(ours(who));
      case 'apis':
        return ours('api');
      case 'workers':
        return ours('worker');
      case 'postgres':
        return server('PostgreSQL', postgres.pid);
      case 'temporal':
        return server('Temporal', temporal.pid);
      case 'backend':
        return one(backendsOf(postgres.pid)).flatMap(pid => server('backend', pid));
      case 'everything':
        return [
          ...ours('api'),
          ...ours('worker'),
          ...server('PostgreSQL', postgres.pid),
          ...server('Temporal', temporal.pid),
        ];
    }
  }

  private async pause({ who, share, ms }: Of<'pause'>): Promise<void> {
    const { servers, timeline, processes } = this.deployment;
    const candidates = processes.filter(({ name }) => name.startsWith(who));
    const one = () => [candidates[Math.floor(share * candidates.length)]?.pid ?? null];
    const pidsOf = {
      postgres: () => [...childrenOf(servers.postgres.pid), servers.postgres.pid],
      temporal: () => [servers.temporal.pid],
      api: one,
      worker: one,
    };
    const pids = pidsOf[who]().filter(pid => pid !== null);
    timeline.note(`${who} paused for ${ms} ms`, `${who} paused`);
    const over = who === 'worker' || who === 'postgres' ? timeline.beginSlowPeriod() : () => undefined;
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await pause(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
    await pause(who === 'postgres' ? recoveryMs : 0);
    over();
  }

  private async line({ from, to, condition, ms, share }: Of<'line'>): Promise<void> {
    const { network, timeline, apis, workers } = this.deployment;
    const all = { api: apis, worker: workers, everybody: [...apis, ...workers] }[from];
    const names = (from === 'everybody' ? all : all.slice(Math.floor(share * all.length)).slice(0, 1)).map(
      ({ name }) => name,
    );
    const what = condition.kind === 'slow' ? `slow by ${condition.ms} ms` : condition.kind;
    timeline.note(`${names.join(', ')} → ${to}: ${what} for ${ms} ms`, `line to ${to} ${condition.kind}`);
    const over = from !== 'api' && delaysCalls.has(to) ? timeline.beginSlowPeriod() : () => undefined;
    for (const name of names) network.link(name, to).become(condition);
    await pause(ms);
    for (const name of names) network.link(name, to).become({ kind: 'calm' });
    await pause(delaysCalls.has(to) ? recoveryMs : 0);
    over();
  }

  private async vendor({ rules, ms }: Of<'vendor'>): Promise<void> {
    const { outside, timeline } = this.deployment;
    const what = rules.map(({ model = 'all', stage = 'every stage', times = 'always', fault }) => {
      const status = fault.kind === 'http' ? ` ${fault.status}` : '';
      timeline.count(`vendor's fault: ${fault.kind}${status}`);
      return `${model} ${stage} ${fault.kind}${status} (${times})`;
    });
    timeline.note(`vendors for ${ms} ms: ${what.join('; ')}`);
    await outside.setFaults(rules);
    await pause(ms);
    await outside.setFaults([]);
  }

  private async market({ behaviour, ms }: Of<'market'>): Promise<void> {
    const { outside, timeline } = this.deployment;
    timeline.note(`the market is ${behaviour} for ${ms} ms`, `market ${behaviour}`);
    outside.setMarket(behaviour);
    await pause(ms);
    outside.setMarket('fine');
  }

  private async operator({ does, share }: Of<'operator'>): Promise<void> {
    const { database, temporal, timeline } = this.deployment;
    const runs = await database.db
      .selectFrom('reports')
      .select(['id', 'workflow_id'])
      .where('status', 'in', ['pending', 'processing'])
      .orderBy('id')
      .execute();
    const run = runs[Math.floor(share * runs.length)];
    if (run === undefined) return timeline.note('no run for an operator to end');
    const handle = temporal.workflow.getHandle(run.workflow_id);
    await (does === 'cancels' ? handle.cancel() : handle.terminate('chaos')).then(
      () => timeline.note(`an operator ${does} the run of report ${run.id}`, `an operator ${does} a run`),
      (error: unknown) => timeline.note(`an operator's request failed: ${String(error).slice(0, 120)}`),
    );
  }

  private async untilDatabaseAnswers(): Promise<void> {
    const { database } = this.deployment;
    const answers = () =>
      database.pool.query('select 1').then(
        () => true,
        () => false,
      );
    while (!(await answers())) await pause(100);
    await pause(recoveryMs);
  }
}

/** What a worker needs between checking for a stored answer and calling the model. */
const delaysCalls: ReadonlySet<Destination> = new Set(['postgres', 'models']);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** Processes of PostgreSQL that serve a client of the service. */
function backendsOf(postmaster: number | null): number[] {
  return childrenOf(postmaster).filter(pid =>
    readProc(pid, 'cmdline').startsWith('postgres: council council '),
  );
}

function childrenOf(parent: number | null): number[] {
  if (parent === null) return [];
  return allPids().filter(pid => /^\d+ \(.*\) \S (\d+)/.exec(readProc(pid, 'stat'))?.[1] === String(parent));
}
