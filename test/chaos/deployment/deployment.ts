import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { type Connections, connect } from '../../../db/database.js';
import { migrate } from '../../../db/migrate.js';
import { type EncryptionKey, formatKeyRing } from '../../../platform/keys/key-ring.js';
import { choosePort } from '../../../platform/net/free-port.js';
import { vendorEnvironment } from '../../../providers/vendor-settings.js';
import { simulatedBaseUrls } from '../../../simulator/simulator.js';
import { deployCopy } from '../../support/service/deploy-copy.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { type Defect, plantDefect } from '../faults/defects.js';
import { signal } from '../faults/processes.js';
import type { Timeline } from '../faults/timeline.js';
import { Network } from './network.js';
import { houseKeys, Outside } from './outside.js';
import { SmallDisk } from './small-disk.js';
import { type SupervisedServers, startServers } from './supervised-servers.js';

const processNames = { api: ['api-1', 'api-2'], worker: ['worker-1', 'worker-2'] } as const;
/** The worker of the service, with short pauses between the tries of a webhook. */
const impatientWorker = 'test/chaos/deployment/impatient-worker.js';
const startAgainAfterMs = 500;
/** Longer than the grace period of a worker. */
const stopWithinMs = 90_000;
/** Short enough for runs to end soon after the last fault; long enough to survive the death of a worker. */
const stageDeadlinesMs = '20000,18000,16000';

/**
 * A whole deployment: two APIs, two workers, their servers, the network links between them, vendors and
 * market.
 */
export class Deployment {
  readonly home: string;
  readonly dist: string;
  readonly timeline: Timeline;
  readonly servers: SupervisedServers;
  readonly network: Network;
  readonly outside: Outside;
  /** Holds the data of PostgreSQL. A sentence that says why, where it cannot be mounted. */
  readonly disk: SmallDisk | string;
  /** The suite's own connection, which is never disturbed. */
  readonly database: Connections;
  readonly temporal: Client;
  readonly keyRing: readonly EncryptionKey[];
  apis: readonly ServiceProcess[] = [];
  workers: readonly ServiceProcess[] = [];
  /** Processes that ended without being stopped or killed. */
  readonly unexpectedExits: string[] = [];
  /** The reports whose runs an operator terminated. */
  readonly terminated = new Set<number>();
  private readonly killed = new Set<number>();
  private ending = false;
  private stopped: Promise<void> | null = null;

  private constructor(
    parts: Pick<Deployment, 'home' | 'dist' | 'timeline' | 'servers' | 'network' | 'outside' | 'disk'>,
  ) {
    this.home = parts.home;
    this.dist = parts.dist;
    this.timeline = parts.timeline;
    this.servers = parts.servers;
    this.network = parts.network;
    this.outside = parts.outside;
    this.disk = parts.disk;
    this.keyRing = [{ kid: 'chaos', key: randomBytes(32) }];
    this.database = connect(this.databaseUrl('suite'), () => undefined);
    const connection = Connection.lazy({ address: this.network.address('suite', 'temporal') });
    this.temporal = new Client({ connection });
  }

  static async build(timeline: Timeline, defect: Defect | null): Promise<Deployment> {
    const home = await mkdtemp(join(tmpdir(), 'council-chaos-'));
    // When the suite runs as root, the database runs as another user.
    await chmod(home, 0o711);
    for (const folder of ['logs', 'clocks']) await mkdir(join(home, folder));
    const dist = await deployCopy(join(home, 'app'));
    if (defect !== null) await plantDefect(defect, dist);
    const disk = await SmallDisk.mount(join(home, 'postgres'));
    const servers = await startServers(home, timeline);
    const outside = await Outside.start();
    const network = await Network.lay(['suite', ...processNames.api, ...processNames.worker], {
      postgres: () => portOf(servers.postgres.now.url),
      temporal: () => portOf(`tcp://${servers.temporal.now.address}`),
      models: () => portOf(outside.simulator.url),
      market: () => portOf(outside.market.url),
    });
    const deployment = new Deployment({ home, dist, timeline, servers, network, outside, disk });
    try {
      await deployment.fill();
    } catch (error) {
      await deployment.stop(true);
      throw error;
    }
    return deployment;
  }

  get processes(): readonly ServiceProcess[] {
    return [...this.apis, ...this.workers];
  }

  async isReady(): Promise<boolean> {
    return (await Promise.all(this.processes.map(each => each.isReady()))).every(Boolean);
  }

  /** Kills a process or a server as a power failure would. */
  kill(name: string, pid: number): void {
    this.killed.add(pid);
    signal(pid, 'SIGKILL');
    if (name.startsWith('worker')) this.timeline.begin('worker killed')();
  }

  /** Sets the clock of a running process forward or back; 0 sets it right. */
  async shiftClock(name: string, byMs: number): Promise<void> {
    await writeFile(this.clockFile(name), String(byMs));
  }

  /** @param keep whether to keep the folder with the logs */
  stop(keep: boolean): Promise<void> {
    this.stopped ??= this.stopAll(keep);
    return this.stopped;
  }

  private async stopAll(keep: boolean): Promise<void> {
    this.ending = true;
    // A process with a defect may wait without end.
    const late = setTimeout(() => {
      for (const each of this.processes) each.kill('SIGKILL');
    }, stopWithinMs);
    await Promise.all(this.processes.map(each => each.stop()));
    clearTimeout(late);
    await this.temporal.connection.close();
    await this.database.close();
    await this.network.close();
    await Promise.all([this.servers.postgres.stop(), this.servers.temporal.stop()]);
    if (typeof this.disk !== 'string') await this.disk.unmount(keep);
    if (!keep) await rm(this.home, { recursive: true, force: true });
  }

  private async fill(): Promise<void> {
    await migrate(this.databaseUrl('suite'));
    this.apis = await Promise.all(processNames.api.map(name => this.add(name, 'api/main.js')));
    this.workers = await Promise.all(processNames.worker.map(name => this.add(name, impatientWorker)));
    await Promise.all(this.processes.map(each => each.ready()));
  }

  private async add(name: string, module: string): Promise<ServiceProcess> {
    const added: ServiceProcess = new ServiceProcess({
      name,
      module: join(this.dist, module),
      env: this.environment(name),
      port: await choosePort(0),
      logFile: join(this.home, 'logs', `${name}.log`),
      tied: true,
      onEnd: ({ code, signal: how, pid }) => {
        if (this.ending) return;
        if (!this.killed.has(pid)) {
          const what = `${name} ended unexpectedly (${how ?? code})`;
          this.unexpectedExits.push(what);
          this.timeline.note(what, 'a process ended unexpectedly');
        }
        setTimeout(() => this.ending || added.start(), startAgainAfterMs);
      },
    });
    return added.start();
  }

  private databaseUrl(name: string): string {
    const { ownerUrl, url: serviceUrl } = this.servers.postgres.now;
    const url = new URL(name === 'suite' ? ownerUrl : serviceUrl);
    url.host = this.network.address(name, 'postgres');
    return url.href;
  }

  private clockFile(name: string): string {
    return join(this.home, 'clocks', name);
  }

  private environment(name: string): NodeJS.ProcessEnv {
    const models = simulatedBaseUrls(`http://${this.network.address(name, 'models')}`);
    return {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_OPTIONS: `--import ${new URL('./shifted-clock.js', import.meta.url).href}`,
      CLOCK_SHIFT_FILE: this.clockFile(name),
      // Names the sessions of each process in pg_stat_activity.
      PGAPPNAME: name,
      COUNCIL_HOME: this.home,
      ENCRYPTION_KEYS: formatKeyRing(this.keyRing),
      DATABASE_URL: this.databaseUrl(name),
      TEMPORAL_ADDRESS: this.network.address(name, 'temporal'),
      STAGE_DEADLINES_MS: stageDeadlinesMs,
      // The models' answers have the prices of real ones, and a long run would reach the ceilings.
      HOUSE_LIMIT_USD_PER_DAY: 'unlimited',
      GRANT_LIMIT_USD_PER_DAY: 'unlimited',
      MARKETS: 'polymarket',
      POLYMARKET_GAMMA_URL: `http://${this.network.address(name, 'market')}`,
      COUNCIL_PROVIDERS: 'live',
      // The receivers of the suite listen on 127.0.0.1.
      WEBHOOK_TARGETS: 'any',
      ...vendorEnvironment(houseKeys, models),
    };
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
