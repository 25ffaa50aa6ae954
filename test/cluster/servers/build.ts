import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../../platform/embedded/process/spawn-service.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import type { SupervisedServer } from '../../chaos/deployment/supervised-server.js';
import { deployCopy } from '../../support/service/deploy-copy.js';
import { until } from '../../support/until.js';
import type { Runbook } from '../runbook.js';
import { chooseLowPort } from './low-port.js';

/** A process that is started again whenever it ends. */
export interface Member {
  readonly name: string;
  readonly port: number;
  readonly server: SupervisedServer<Service>;
}

/** What starts and supervises the processes of builds. */
export interface Supervisor {
  readonly home: string;
  readonly runbook: Runbook;
  /** The environment of all steps. */
  readonly env: NodeJS.ProcessEnv;
  /** Adds a process by a step, which runs in the folder of the build. */
  add(name: string, port: number, step: string, env: NodeJS.ProcessEnv, build: Build): Member;
}

const probeWithinMs = 3_000;
const startedWithinMs = 180_000;

/** One version of the service: its folder, its workers and its APIs. */
export class Build {
  readonly id: string;
  readonly folder: string;
  workers: readonly Member[] = [];
  apis: readonly Member[] = [];
  private readonly supervisor: Supervisor;

  private constructor(supervisor: Supervisor, id: string, folder: string) {
    this.supervisor = supervisor;
    this.id = id;
    this.folder = folder;
  }

  static async copy(supervisor: Supervisor, id: string): Promise<Build> {
    const folder = join(supervisor.home, id);
    await deployCopy(folder);
    await cp(join(projectFiles.root, 'deploy'), join(folder, 'deploy'), { recursive: true });
    return new Build(supervisor, id, folder);
  }

  /** Runs a step of the runbook in the folder of this build. @returns what it printed */
  run(step: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { runbook, env: common } = this.supervisor;
    return runbook.run({ step, cwd: this.folder, env: { ...common, ...env } });
  }

  async startWorkers(count: number): Promise<void> {
    this.workers = await this.startMembers('worker', count, { BUILD_ID: this.id });
  }

  async startApis(count: number): Promise<void> {
    this.apis = [...this.apis, ...(await this.startMembers('api', count, {}))];
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.map(({ server }) => server.stop()));
    this.workers = [];
  }

  /** Stops the API that was started first. It leaves the balancer before. */
  async stopOneApi(): Promise<void> {
    const [first, ...others] = this.apis;
    this.apis = others;
    await first?.server.stop();
  }

  async untilReady(withinMs: number): Promise<void> {
    await untilReady([...this.workers, ...this.apis], withinMs);
  }

  private async startMembers(
    step: 'worker' | 'api',
    count: number,
    env: NodeJS.ProcessEnv,
  ): Promise<Member[]> {
    const members: Member[] = [];
    for (let number = 1; number <= count; number++) {
      const port = await chooseLowPort();
      const name = `${step}-${this.id}-${port}`;
      // Names the sessions of each process in pg_stat_activity.
      members.push(
        this.supervisor.add(name, port, step, { ...env, PORT: String(port), PGAPPNAME: name }, this),
      );
    }
    await Promise.all(members.map(({ server }) => server.start()));
    await untilReady(members, startedWithinMs);
    return members;
  }
}

async function untilReady(members: readonly Member[], withinMs: number): Promise<void> {
  await Promise.all(
    members.map(each => until(`${each.name} is ready`, () => isReady(each), Boolean, withinMs)),
  );
}

function isReady({ port }: Member): Promise<boolean> {
  const signal = AbortSignal.timeout(probeWithinMs);
  return fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
    async response => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
}
