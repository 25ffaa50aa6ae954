import { setTimeout as pause } from 'node:timers/promises';
import { deliveryWorkflow } from '../../../purchase/webhooks.js';
import { until } from '../../support/until.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Destination } from '../deployment/network.js';
import { openDeliveries, openReports } from '../load/settle.js';
import { backendsOf, childrenOf, signal } from './processes.js';
import type { ScheduledFault } from './schedule.js';
import type { Hindrance } from './timeline.js';

type Of<Kind extends ScheduledFault['kind']> = Extract<ScheduledFault, { kind: Kind }>;
type Target = Of<'kill'>['who'];

interface Running {
  readonly name: string;
  readonly pid: number;
}

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
    const { deployment } = this;
    const { timeline } = deployment;
    const targets = this.targets(who, share);
    if (targets.length === 0) return timeline.note(`nothing to kill: ${who}`);
    const databaseOver = takesDatabase.has(who) ? timeline.begin('database away') : null;
    const temporalOver = takesTemporal.has(who) ? timeline.begin('Temporal away') : null;
    timeline.note(`kill -9 ${who} (${targets.map(({ name }) => name).join(', ')})`, `kill -9 ${who}`);
    for (const { name, pid } of targets) deployment.kill(name, pid);
    if (databaseOver !== null) await this.untilDatabaseAnswers().finally(() => databaseOver());
    if (temporalOver !== null) await this.untilTemporalIsUp().finally(() => temporalOver());
  }

  private targets(who: Target, share: number): Running[] {
    const { processes, servers } = this.deployment;
    const running = (name: string, pid: number | null) => (pid === null ? [] : [{ name, pid }]);
    const ours = (kind: string) =>
      processes.filter(({ name }) => name.startsWith(kind)).flatMap(({ name, pid }) => running(name, pid));
    const targets: Readonly<Record<Target, () => Running[]>> = {
      api: () => oneOf(ours('api'), share),
      apis: () => ours('api'),
      worker: () => oneOf(ours('worker'), share),
      workers: () => ours('worker'),
      postgres: () => running('PostgreSQL', servers.postgres.pid),
      backend: () => oneOf(backendsOf(servers.postgres.pid), share).flatMap(pid => running('backend', pid)),
      temporal: () => running('Temporal', servers.temporal.pid),
      everything: () => [...ours(''), ...targets.postgres(), ...targets.temporal()],
    };
    return targets[who]();
  }

  private async pause({ who, share, ms }: Of<'pause'>): Promise<void> {
    const { timeline } = this.deployment;
    const pids = this.targets(who, share).flatMap(({ pid }) =>
      who === 'postgres' ? [...childrenOf(pid), pid] : [pid],
    );
    timeline.note(`${who} paused for ${ms} ms`, `${who} paused`);
    const over = this.begin(hindranceOfPause[who]);
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await pause(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
    await pause(recoveryMs);
    over();
  }

  private async line({ from, to, condition, ms, share }: Of<'line'>): Promise<void> {
    const { network, timeline, apis, workers } = this.deployment;
    const affected = {
      api: oneOf(apis, share),
      worker: oneOf(workers, share),
      everybody: [...apis, ...workers],
    };
    const names = affected[from].map(({ name }) => name);
    const what = condition.kind === 'slow' ? `slow by ${condition.ms} ms` : condition.kind;
    timeline.note(`${names.join(', ')} → ${to}: ${what} for ${ms} ms`, `line to ${to} ${condition.kind}`);
    const over = this.begin(from === 'api' ? null : hindranceOfLine[to]);
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
    outside.setFaults(rules);
    await pause(ms);
    outside.setFaults([]);
  }

  private async market({ behaviour, ms }: Of<'market'>): Promise<void> {
    const { outside, timeline } = this.deployment;
    timeline.note(`the market is ${behaviour} for ${ms} ms`, `market ${behaviour}`);
    outside.market.behaviour = behaviour;
    await pause(ms);
    outside.market.behaviour = 'fine';
  }

  private async operator({ does, share }: Of<'operator'>): Promise<void> {
    const { database, temporal, timeline } = this.deployment;
    if (does === 'terminates') await this.terminateDelivery(share);
    // The database may be away, too.
    const [run] = oneOf(await openReports(database.db).catch(() => []), share);
    if (run === undefined) return timeline.note('no run for an operator to end');
    if (does === 'terminates') this.deployment.terminated.add(run.id);
    const handle = temporal.workflow.getHandle(run.workflowId);
    await (does === 'cancels' ? handle.cancel() : handle.terminate('chaos')).then(
      () => timeline.note(`an operator ${does} the run of report ${run.id}`, `an operator ${does} a run`),
      (error: unknown) => timeline.note(`an operator's request failed: ${String(error).slice(0, 120)}`),
    );
  }

  /** A webhook whose workflow is gone must be sent all the same. */
  private async terminateDelivery(share: number): Promise<void> {
    const { database, temporal, timeline } = this.deployment;
    const [delivery] = oneOf(await openDeliveries(database.db).catch(() => []), share);
    if (delivery === undefined) return timeline.note('no webhook for an operator to end');
    const handle = temporal.workflow.getHandle(deliveryWorkflow.idOf(delivery.id));
    await handle.terminate('chaos').then(
      () =>
        timeline.note(`an operator terminates webhook ${delivery.id}`, 'an operator terminates a webhook'),
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
    const candidates = processes.map(({ name }) => name).filter(name => name.startsWith(who));
    for (const name of oneOf(candidates, share)) {
      const what = `the clock of ${name} is shifted by ${byMs} ms for ${ms} ms`;
      timeline.note(what, `clock of ${who} shifted`);
      await this.deployment.shiftClock(name, byMs);
      await pause(ms);
      await this.deployment.shiftClock(name, 0);
    }
  }

  /** @returns what ends the hindrance, if it is one */
  private begin(hindrance: Hindrance | null): (lastsMs?: number) => void {
    return hindrance === null ? () => undefined : this.deployment.timeline.begin(hindrance);
  }

  private async untilDatabaseAnswers(): Promise<void> {
    const { pool } = this.deployment.database;
    const answers = () => pool.query('select 1').catch(() => null);
    await until('the database answers', answers, Boolean, upAgainWithinMs);
    await pause(recoveryMs);
  }

  private async untilTemporalIsUp(): Promise<void> {
    const { temporal } = this.deployment.servers;
    await until('Temporal is up', () => temporal.up, Boolean, upAgainWithinMs);
    await pause(recoveryMs);
  }
}

/** The item at this share of the list; none of an empty list. */
function oneOf<Item>(items: readonly Item[], share: number): Item[] {
  return items.slice(Math.floor(share * items.length)).slice(0, 1);
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
