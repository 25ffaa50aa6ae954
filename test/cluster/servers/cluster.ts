import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { type Connections, connect } from '../../../db/database.js';
import type { Service } from '../../../platform/embedded/process/spawn-service.js';
import { type EncryptionKey, formatKeyRing } from '../../../platform/keys/key-ring.js';
import { startGammaStandIn } from '../../chaos/deployment/gamma-stand-in.js';
import { SupervisedServer } from '../../chaos/deployment/supervised-server.js';
import type { Timeline } from '../../chaos/faults/timeline.js';
import { until } from '../../support/until.js';
import type { Runbook } from '../runbook.js';
import { accepts, Balancer } from './balancer.js';
import { Build, type Member, type Supervisor } from './build.js';
import { chooseLowPort } from './low-port.js';
import { findPrograms } from './programs.js';
import { type BarePostgres, startBarePostgres } from './start-bare-postgres.js';

/**
 * What the sizing of deploy/README.md asks for: 26 for each of three APIs and 20 for each of six workers (a deploy runs
 * both builds), 25 for each of Temporal's processes, and some for operators and the suite.
 */
const connectionsMax = 26 * 3 + 20 * 6 + 25 * 6 + 40;
const historyShards = 16;
/** Also while the whole machine is busy. */
const readyWithinMs = 300_000;
const temporalServices = ['frontend', 'frontend', 'history', 'history', 'matching', 'worker'] as const;

/** Temporal's services, PostgreSQL, the simulator, and the builds of the service. */
export class Cluster implements Supervisor {
  readonly home: string;
  readonly timeline: Timeline;
  readonly runbook: Runbook;
  readonly keyRing: readonly EncryptionKey[] = [{ kid: 'cluster', key: randomBytes(32) }];
  /** Of all steps. Filled while the cluster starts. */
  env: NodeJS.ProcessEnv;
  temporalServers: readonly Member[] = [];
  readonly builds: Build[] = [];
  private readonly passwords = { owner: password(), service: password(), temporal: password() };
  private readonly servers: SupervisedServer<Service>[] = [];
  /** Also those that have not accepted a connection yet. */
  private readonly spawned: Service[] = [];
  private readonly closers: (() => Promise<void>)[] = [];
  private stopped: Promise<void> | null = null;

  private constructor(home: string, timeline: Timeline, runbook: Runbook) {
    this.home = home;
    this.timeline = timeline;
    this.runbook = runbook;
    this.env = { HOME: process.env['HOME'], PATH: process.env['PATH'] };
  }

  static async create(timeline: Timeline, runbook: Runbook): Promise<Cluster> {
    const home = await mkdtemp(join(tmpdir(), 'council-cluster-'));
    // When the suite runs as root, the database runs as another user.
    await chmod(home, 0o711);
    await mkdir(join(home, 'logs'));
    return new Cluster(home, timeline, runbook);
  }

  /** Temporal's programs, PostgreSQL with its roles, Temporal's six processes and the namespace. */
  async startServers(say: (line: string) => void): Promise<void> {
    this.env['PATH'] = await findPrograms(this.runbook, process.env, say);
    const { adminUrl, port } = await this.startPostgres();
    Object.assign(this.env, {
      POSTGRES_HOST: '127.0.0.1',
      POSTGRES_PORT: String(port),
      OWNER_PASSWORD: this.passwords.owner,
      SERVICE_PASSWORD: this.passwords.service,
      TEMPORAL_PASSWORD: this.passwords.temporal,
      NUM_HISTORY_SHARDS: String(historyShards),
      HOST_ADDRESS: '127.0.0.1',
      ENCRYPTION_KEYS: formatKeyRing(this.keyRing),
    });
    const first = await this.addBuild('one');
    await first.run('roles', { ADMIN_URL: adminUrl });
    say('PostgreSQL has the roles and databases of deploy/postgres/roles.sql.');
    await first.run('schema');
    say("Temporal's two databases have their tables.");
    await this.startTemporal(first);
    say(`Temporal runs in six processes: ${this.temporalServers.map(({ name }) => name).join(', ')}.`);
    await this.untilShardsAreShared(adminUrl);
    say(`Both histories own some of the ${historyShards} shards.`);
    await first.run('namespace');
    say('The namespace is as temporal.yaml describes it.');
  }

  /** The simulator of all workers, and a market. */
  async startOutside(): Promise<void> {
    const market = await startGammaStandIn();
    const port = await chooseLowPort();
    const simulator = this.add('simulator', port, 'simulator', { SIMULATOR_PORT: String(port) });
    await simulator.server.start();
    const simulatorUrl = `http://127.0.0.1:${port}`;
    // The models of this suite answer at once.
    await fetch(`${simulatorUrl}/simulator/faults`, {
      method: 'PUT',
      body: JSON.stringify([{ fault: { kind: 'latency', ms: 0 } }]),
    });
    const proxy = await Balancer.lay('the proxy', () =>
      this.builds.flatMap(({ apis }) => apis.map(each => each.port)),
    );
    this.closers.push(() => proxy.close());
    Object.assign(this.env, {
      SIMULATOR_URL: simulatorUrl,
      MARKETS: 'polymarket',
      POLYMARKET_GAMMA_URL: market.url,
      PUBLIC_URL: `http://${proxy.address}`,
    });
  }

  /** A copy of the service, as its own folder, with its own build id. */
  async addBuild(id: string): Promise<Build> {
    const build = await Build.copy(this, id);
    this.builds.push(build);
    return build;
  }

  /** A process by a step of the runbook, which is started again whenever it ends. */
  add(name: string, port: number, step: string, env: NodeJS.ProcessEnv, build = this.build('one')): Member {
    const server = new SupervisedServer<Service>(name, this.timeline, async () => {
      const service = await this.runbook.start({
        step,
        name,
        cwd: build.folder,
        env: { ...this.env, ...env },
        logFile: join(this.home, 'logs', `${name}.log`),
        stopWithinMs: step === 'worker' ? workerStopsWithinMs : otherStopsWithinMs,
      });
      this.spawned.push(service);
      await until(`${name} accepts connections`, async () => {
        const ended = service.ended();
        if (ended !== undefined) throw await service.failure(ended);
        return accepts(port);
      });
      return service;
    });
    this.servers.push(server);
    return { name, port, server };
  }

  build(id: string): Build {
    const build = this.builds.find(each => each.id === id);
    if (build === undefined) throw new Error(`there is no build ${id}`);
    return build;
  }

  get ownerUrl(): string {
    return this.urlOf('council', this.passwords.owner);
  }

  get url(): string {
    return this.urlOf('council_service', this.passwords.service);
  }

  /** The processes that run at the moment. */
  get running(): readonly SupervisedServer<Service>[] {
    return this.servers.filter(({ pid }) => pid !== null);
  }

  /** Connections of the suite's own. */
  connect(): { readonly database: Connections; readonly temporal: Client } {
    const database = connect(this.ownerUrl, () => undefined);
    const connection = Connection.lazy({ address: this.env['TEMPORAL_ADDRESS'] ?? '' });
    this.closers.push(
      () => database.close(),
      () => connection.close(),
    );
    return { database, temporal: new Client({ connection }) };
  }

  /**
   * Waits until every process is up, and each API and worker has been ready once: under load, one may be slow to answer
   * at the moment when another is asked.
   */
  async untilReady(): Promise<void> {
    const processes = this.servers.filter(({ isOver }) => !isOver);
    await Promise.all([
      ...processes.map(each => until(`${each.name} is up`, () => each.up, Boolean, readyWithinMs)),
      ...this.builds.map(build => build.untilReady(readyWithinMs)),
    ]);
  }

  /** @param keep whether to keep the folder with the logs */
  stop(keep: boolean): Promise<void> {
    this.stopped ??= this.stopAll(keep);
    return this.stopped;
  }

  private async stopAll(keep: boolean): Promise<void> {
    for (const close of this.closers.splice(0)) await close();
    // What the others need ends last.
    for (const kind of [/^(api|worker)-/, /^(temporal-|simulator$)/, /^PostgreSQL$/]) {
      const some = this.servers.filter(({ name }) => kind.test(name));
      await Promise.all(some.map(each => each.stop()));
    }
    await Promise.all(this.spawned.map(each => each.stop()));
    if (!keep) await rm(this.home, { recursive: true, force: true });
  }

  private async startPostgres(): Promise<{ adminUrl: string; port: number }> {
    const port = await chooseLowPort();
    const postgres = new SupervisedServer<BarePostgres>('PostgreSQL', this.timeline, () =>
      startBarePostgres(this.home, {
        port,
        connectionsMax,
        onSpawn: service => this.spawned.push(service),
      }),
    );
    this.servers.push(postgres);
    await postgres.start();
    return { adminUrl: postgres.now.adminUrl, port };
  }

  private async startTemporal(build: Build): Promise<void> {
    const counts = new Map<string, number>();
    const frontends: number[] = [];
    const balancer = await Balancer.lay('the frontends', () => frontends);
    this.closers.push(() => balancer.close());
    this.env['TEMPORAL_ADDRESS'] = balancer.address;
    const members: Member[] = [];
    for (const service of temporalServices) {
      const number = (counts.get(service) ?? 0) + 1;
      counts.set(service, number);
      const port = await chooseLowPort();
      const membershipPort = await chooseLowPort();
      if (service === 'frontend') frontends.push(port);
      const env = { SERVICE: service, GRPC_PORT: String(port), MEMBERSHIP_PORT: String(membershipPort) };
      // The worker service serves nothing but its membership.
      const served = service === 'worker' ? membershipPort : port;
      members.push(this.add(`temporal-${service}-${number}`, served, 'temporal', env, build));
    }
    this.temporalServers = members;
    // The first one of a new cluster writes its metadata, alone.
    await members[0]?.server.start();
    await Promise.all(members.slice(1).map(({ server }) => server.start()));
  }

  /** Temporal stores the address of the history that owns a shard with the shard. */
  private async untilShardsAreShared(adminUrl: string): Promise<void> {
    const histories = this.temporalServers.filter(({ name }) => name.startsWith('temporal-history'));
    const url = new URL(adminUrl);
    url.pathname = '/temporal';
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      await until('both histories own shards', async () => {
        const { rows } = await client.query<{ shard: string }>(
          `select encode(data, 'escape') as shard from shards`,
        );
        const ownsOne = ({ port }: Member) => rows.some(({ shard }) => shard.includes(`127.0.0.1:${port}-`));
        return rows.length === historyShards && histories.every(ownsOne);
      });
    } finally {
      await client.end();
    }
  }

  private urlOf(role: string, secret: string): string {
    const { POSTGRES_HOST: host, POSTGRES_PORT: port } = this.env;
    return `postgres://${role}:${secret}@${host}:${port}/council`;
  }
}

/** Longer than the grace period of a worker. */
const workerStopsWithinMs = 75_000;
const otherStopsWithinMs = 15_000;

function password(): string {
  return randomBytes(18).toString('hex');
}
