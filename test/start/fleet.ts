import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connections, connect } from '../../db/database.js';
import { type EmbeddedServices, startEmbedded } from '../../platform/embedded/start-embedded.js';
import { choosePort } from '../../platform/net/free-port.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { readTemporalManifest } from '../../platform/temporal/manifest.js';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';
import { deployCopy, type ManifestChange } from '../support/service/deploy-copy.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { TestCaller } from '../support/service/test-caller.js';
import { vendorEnvironment } from '../support/service/vendor-environment.js';

export interface FleetOptions {
  readonly manifest?: ManifestChange;
  /** How long a model call takes. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
}

/**
 * A deployment on one machine: any number of API and worker processes against one PostgreSQL and one Temporal
 * server. The models are simulated in the test process, which outlives the others, and are called as live
 * ones are.
 */
export class Fleet {
  readonly home: string;
  readonly simulator: Simulator;
  readonly database: Connections;
  private readonly services: EmbeddedServices;
  private readonly dist: string;
  private readonly processes: ServiceProcess[] = [];

  private constructor(parts: {
    home: string;
    simulator: Simulator;
    database: Connections;
    services: EmbeddedServices;
    dist: string;
  }) {
    this.home = parts.home;
    this.simulator = parts.simulator;
    this.database = parts.database;
    this.services = parts.services;
    this.dist = parts.dist;
  }

  static async start({ manifest: change, latencyMs }: FleetOptions = {}): Promise<Fleet> {
    const home = await mkdtemp(join(tmpdir(), 'council-fleet-'));
    // When the tests run as root, the database runs as another user.
    await chmod(home, 0o711);
    await mkdir(join(home, 'logs'));
    const dist = await deployCopy(join(home, 'app'), change);
    const manifest = readTemporalManifest(projectFiles.temporalManifest);
    const services = await startEmbedded({
      home,
      wantPostgres: true,
      wantTemporal: true,
      postgresPort: await choosePort(0),
      temporal: {
        env: process.env,
        namespace: manifest.namespace,
        flags: manifest.embedded_server.flags,
        port: await choosePort(0),
        uiPort: await choosePort(0),
      },
      log: () => undefined,
    });
    const simulator = await startSimulator(latencyMs === undefined ? {} : { latencyMs });
    const database = connect(services.ownerDatabaseUrl ?? '', () => undefined);
    const fleet = new Fleet({ home, simulator, database, services, dist });
    const migrated = spawnSync('node', [join(dist, 'cli', 'migrate.js')], {
      env: { ...fleet.environment(), DATABASE_URL: services.ownerDatabaseUrl },
    });
    if (migrated.status !== 0) throw new Error(String(migrated.stderr));
    return fleet;
  }

  get temporalAddress(): string {
    return this.services.temporalAddress ?? '';
  }

  /** Starts one more process without waiting until it is ready. */
  async add(kind: 'api' | 'worker', env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const name = `${kind}-${this.processes.length + 1}`;
    const added = new ServiceProcess({
      name,
      module: join(this.dist, kind === 'api' ? 'api/main.js' : 'activities/worker.js'),
      env: { ...this.environment(), ...env },
      port: await choosePort(0),
      logFile: join(this.home, 'logs', `${name}.log`),
    });
    this.processes.push(added);
    return added.start();
  }

  /** A new customer of one of the APIs. */
  newCaller(api: ServiceProcess, credits: number): Promise<TestCaller> {
    return TestCaller.signUp(api.url, this.database.db, credits);
  }

  async stop(): Promise<void> {
    for (const each of this.processes) {
      if (each.pid !== null) each.kill('SIGKILL');
      await each.ended();
    }
    await this.database.close();
    await this.services.stop();
    await this.simulator.close();
    await rm(this.home, { recursive: true, force: true });
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      COUNCIL_HOME: this.home,
      DATABASE_URL: this.services.databaseUrl,
      TEMPORAL_ADDRESS: this.services.temporalAddress,
      MARKETS: 'sample',
      ...vendorEnvironment(this.simulator.baseUrls),
    };
  }
}
