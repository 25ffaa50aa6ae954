import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Destination } from '../deployment/network.js';
import { backendsOf, childrenOf, signal } from './processes.js';
import type { ScheduledFault, Target } from './schedule.js';
import type { Hindrance } from './timeline.js';

type Of<Kind extends ScheduledFault['kind']> = Extract<ScheduledFault, { kind: Kind }>;

/** Clients need this long to reconnect after a server is back. */
const recoveryMs = 4_000;
const upAgainWithinMs = 180_000;
/** A pool may still hold lost connections for this long (db/database.ts). */
const lostLinesMs = 65_000;

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
      case 'disk':
        return this.disk(scheduled);
      case 'clock':
        return this.clock(scheduled);
    }
  }

  private async kill({ who, share }: Of<'kill'>): Promise<void> {
    const { timeline } = this.deployment;
    const targets = this.targets(who, share);
    if (targets.length === 0) return timeline.note(`nothing to kill: ${who}`);
    const databaseOver = takesDatabase.has(who) ? timeline.begin('database away') : null;
    const temporalOver = takesTemporal.has(who) ? timeline.begin('Temporal away') : null;
    timeline.note(`kill -9 ${who} (${targets.map(({ name }) => name).join(', ')})`, `kill -9 ${who}`);
    for (const target of targets) target.kill();
    if (databaseOver !== null) await this.untilDatabaseAnswers().finally(() => databaseOver());
    if (temporalOver !== null) await this.untilTemporalIsUp().finally(() => temporalOver());
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
    const { postgres, temporal } = servers;
    const candidates = processes.filter(({ name }) => name.startsWith(who));
    const one = () => [candidates[Math.floor(share * candidates.length)]?.pid ?? null];
    const pidsOf = {
      postgres: () => [...childrenOf(postgres.pid), postgres.pid],
      backend: () => {
        const backends = backendsOf(postgres.pid);
        return [backends[Math.floor(share * backends.length)] ?? null];
      },
      temporal: () => [temporal.pid],
      api: one,
      worker: one,
    };
    const pids = pidsOf[who]().filter(pid => pid !== null);
    timeline.note(`${who} paused for ${ms} ms`, `${who} paused`);
    const hindrance = hindranceOfPause[who];
    const over = hindrance === null ? () => undefined : timeline.begin(hindrance);
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await pause(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
    await pause(recoveryMs);
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
    const hindrance = from === 'api' ? null : hindranceOfLine[to];
    const over = hindrance === null ? () => undefined : timeline.begin(hindrance);
    for (const name of names) network.link(name, to).become(condition);
    await pause(ms);
    for (const name of names) network.link(name, to).become({ kind: 'calm' });
    await pause(recoveryMs);
    over(condition.kind === 'cut' ? lostLinesMs : 0);
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
      .execute()
      // The database may be away, too.
      .catch(() => []);
    const run = runs[Math.floor(share * runs.length)];
    if (run === undefined) return timeline.note('no run for an operator to end');
    if (does === 'terminates') this.deployment.terminated.add(run.id);
    const handle = temporal.workflow.getHandle(run.workflow_id);
    await (does === 'cancels' ? handle.cancel() : handle.terminate('chaos')).then(
      () => timeline.note(`an operator ${does} the run of report ${run.id}`, `an operator ${does} a run`),
      (error: unknown) => timeline.note(`an operator's request failed: ${String(error).slice(0, 120)}`),
    );
  }

  private async disk({ ms }: Of<'disk'>): Promise<void> {
    const { disk, timeline } = this.deployment;
    if (typeof disk === 'string') return timeline.note(disk, disk);
    timeline.note(`the disk of PostgreSQL is full for ${ms} ms`, 'disk of PostgreSQL full');
    const over = timeline.begin('database away');
    await disk.fill();
    await pause(ms);
    await disk.makeRoom();
    await this.untilDatabaseAnswers().finally(() => over());
  }

  private async clock({ who, share, byMs, ms }: Of<'clock'>): Promise<void> {
    const { timeline, processes } = this.deployment;
    const candidates = processes.filter(({ name }) => name.startsWith(who));
    const target = candidates[Math.floor(share * candidates.length)];
    if (target === undefined) return;
    timeline.note(
      `the clock of ${target.name} is shifted by ${byMs} ms for ${ms} ms`,
      `clock of ${who} shifted`,
    );
    await this.deployment.shiftClock(target, byMs);
    await pause(ms);
    await this.deployment.shiftClock(target, 0);
  }

  private async untilDatabaseAnswers(): Promise<void> {
    const { database } = this.deployment;
    const answers = () =>
      database.pool.query('select 1').then(
        () => true,
        () => false,
      );
    await until('the database answers', answers, Boolean, upAgainWithinMs);
    await pause(recoveryMs);
  }

  private async untilTemporalIsUp(): Promise<void> {
    const { temporal } = this.deployment.servers;
    await until('Temporal is up', () => temporal.up, Boolean, upAgainWithinMs);
    await pause(recoveryMs);
  }
}

const takesDatabase: ReadonlySet<Target> = new Set(['postgres', 'backend', 'everything']);
const takesTemporal: ReadonlySet<Target> = new Set(['temporal', 'everything']);
const hindranceOfPause: Readonly<Record<Of<'pause'>['who'], Hindrance | null>> = {
  worker: 'worker stopped',
  api: null,
  postgres: 'database away',
  backend: 'database away',
  temporal: 'Temporal away',
};
const hindranceOfLine: Readonly<Record<Destination, Hindrance | null>> = {
  postgres: 'database away',
  temporal: 'Temporal away',
  models: 'models away',
  market: null,
};
