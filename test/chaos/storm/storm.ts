import { setTimeout as pause } from 'node:timers/promises';
import { allPids, readProc } from '../../support/machine/proc.js';
import type { Destination } from '../stage/network.js';
import type { Stage } from '../stage/stage.js';
import type { Gust, Victim } from './script.js';

type Of<Kind extends Gust['kind']> = Extract<Gust, { kind: Kind }>;

/** After PostgreSQL is back its clients still have to notice. */
const recoveryMs = 4_000;

/** Does what the script says, at its time. */
export class Storm {
  private readonly stage: Stage;
  /** What went wrong in the suite itself. */
  readonly faults: unknown[] = [];

  constructor(stage: Stage) {
    this.stage = stage;
  }

  async rage(script: readonly Gust[]): Promise<void> {
    const begunAt = Date.now();
    await Promise.all(
      script.map(async gust => {
        await pause(gust.atMs - (Date.now() - begunAt));
        await this.blow(gust).catch((error: unknown) => void this.faults.push(error));
      }),
    );
  }

  private async blow(gust: Gust): Promise<void> {
    switch (gust.kind) {
      case 'kill':
        return this.kill(gust);
      case 'pause':
        return this.pause(gust);
      case 'line':
        return this.line(gust);
      case 'vendor':
        return this.vendor(gust);
      case 'market':
        return this.market(gust);
      case 'operator':
        return this.operator(gust);
    }
  }

  private async kill({ who, whom }: Of<'kill'>): Promise<void> {
    const victims = this.victims(who, whom);
    if (victims.length === 0) return this.stage.timeline.note(`nobody to kill: ${who}`);
    const isDatabase = who === 'postgres' || who === 'backend' || who === 'everything';
    const over = isDatabase ? this.stage.timeline.spell() : () => undefined;
    this.stage.timeline.note(
      `kill -9 ${who} (${victims.map(({ name }) => name).join(', ')})`,
      `kill -9 ${who}`,
    );
    for (const victim of victims) victim.kill();
    if (!isDatabase) return;
    await this.untilDatabaseAnswers();
    over();
  }

  private victims(who: Victim, whom: number) {
    const { stage } = this;
    const ours = (kind: string) =>
      stage.processes
        .filter(({ name, pid }) => pid !== null && name.startsWith(kind))
        .map(each => ({ name: each.name, kill: () => stage.kill(each) }));
    const server = (name: string, pid: number | null) =>
      pid === null ? [] : [{ name: `${name} ${pid}`, kill: () => signal(pid, 'SIGKILL') }];
    const one = <Item>(items: readonly Item[]) => items.slice(Math.floor(whom * items.length)).slice(0, 1);
    const { postgres, temporal } = stage.servers;
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

  private async pause({ who, whom, ms }: Of<'pause'>): Promise<void> {
    const { servers, timeline, processes } = this.stage;
    const candidates = processes.filter(({ name }) => name.startsWith(who));
    const one = () => [candidates[Math.floor(whom * candidates.length)]?.pid ?? null];
    const pidsOf = {
      postgres: () => [...childrenOf(servers.postgres.pid), servers.postgres.pid],
      temporal: () => [servers.temporal.pid],
      api: one,
      worker: one,
    };
    const pids = pidsOf[who]().filter(pid => pid !== null);
    timeline.note(`${who} stands still for ${ms} ms`, `${who} stands still`);
    const over = who === 'worker' || who === 'postgres' ? timeline.spell() : () => undefined;
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await pause(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
    await pause(who === 'postgres' ? recoveryMs : 0);
    over();
  }

  private async line({ from, to, weather, ms, whom }: Of<'line'>): Promise<void> {
    const { network, timeline, apis, workers } = this.stage;
    const all = { api: apis, worker: workers, everybody: [...apis, ...workers] }[from];
    const names = (from === 'everybody' ? all : all.slice(Math.floor(whom * all.length)).slice(0, 1)).map(
      ({ name }) => name,
    );
    const what = weather.kind === 'slow' ? `slow by ${weather.ms} ms` : weather.kind;
    timeline.note(`${names.join(', ')} → ${to}: ${what} for ${ms} ms`, `line to ${to} ${weather.kind}`);
    const over = from !== 'api' && delaysAsking.has(to) ? timeline.spell() : () => undefined;
    for (const name of names) network.link(name, to).become(weather);
    await pause(ms);
    for (const name of names) network.link(name, to).become({ kind: 'calm' });
    await pause(delaysAsking.has(to) ? recoveryMs : 0);
    over();
  }

  private async vendor({ rules, ms }: Of<'vendor'>): Promise<void> {
    const { outside, timeline } = this.stage;
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

  private async market({ mood, ms }: Of<'market'>): Promise<void> {
    const { outside, timeline } = this.stage;
    timeline.note(`the market is ${mood} for ${ms} ms`, `market ${mood}`);
    outside.setMarket(mood);
    await pause(ms);
    outside.setMarket('fine');
  }

  private async operator({ does, whom }: Of<'operator'>): Promise<void> {
    const { database, temporal, timeline } = this.stage;
    const runs = await database.db
      .selectFrom('reports')
      .select(['id', 'workflow_id'])
      .where('status', 'in', ['pending', 'processing'])
      .orderBy('id')
      .execute();
    const run = runs[Math.floor(whom * runs.length)];
    if (run === undefined) return timeline.note('no run for an operator to end');
    const handle = temporal.workflow.getHandle(run.workflow_id);
    await (does === 'cancels' ? handle.cancel() : handle.terminate('chaos')).then(
      () => timeline.note(`an operator ${does} the run of report ${run.id}`, `an operator ${does} a run`),
      (error: unknown) => timeline.note(`an operator did not get through: ${String(error).slice(0, 120)}`),
    );
  }

  private async untilDatabaseAnswers(): Promise<void> {
    const { database } = this.stage;
    const answers = () =>
      database.pool.query('select 1').then(
        () => true,
        () => false,
      );
    while (!(await answers())) await pause(100);
    await pause(recoveryMs);
  }
}

/** What a worker needs between looking whether an answer is stored, and asking. */
const delaysAsking: ReadonlySet<Destination> = new Set(['postgres', 'models']);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended a moment ago.
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
