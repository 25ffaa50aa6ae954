import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { choosePort } from '../../platform/net/free-port.js';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';
import { deployCopy, type ManifestChange } from '../support/service/deploy-copy.js';
import { liveVendors } from '../support/service/live-vendors.js';
import { ownNamespace } from '../support/service/own-namespace.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { TestCaller } from '../support/service/test-caller.js';
import { createTestDatabase, type TestDatabase } from '../support/service/test-database.js';

export interface FleetOptions {
  readonly manifest?: ManifestChange;
  /** How long a model call takes. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
}

/**
 * A deployment on one machine: any number of API and worker processes against one database and one Temporal
 * namespace. The models are simulated in the test process, which outlives the others, and are called as live
 * ones are.
 */
export class Fleet {
  readonly home: string;
  readonly simulator: Simulator;
  readonly database: TestDatabase;
  readonly temporal: Client;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly dist: string;
  private readonly processes: ServiceProcess[] = [];

  private constructor(parts: {
    home: string;
    simulator: Simulator;
    database: TestDatabase;
    temporal: Client;
    dist: string;
  }) {
    this.home = parts.home;
    this.simulator = parts.simulator;
    this.database = parts.database;
    this.temporal = parts.temporal;
    this.dist = parts.dist;
    this.environment = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      COUNCIL_HOME: parts.home,
      DATABASE_URL: parts.database.url,
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
      TEMPORAL_NAMESPACE: parts.temporal.options.namespace,
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      MARKETS: 'sample',
      ...liveVendors(parts.simulator.baseUrls),
    };
  }

  static async start({ manifest, latencyMs }: FleetOptions = {}): Promise<Fleet> {
    const home = await mkdtemp(join(tmpdir(), 'council-fleet-'));
    await chmod(home, 0o711);
    await mkdir(join(home, 'logs'));
    const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
    return new Fleet({
      home,
      dist: await deployCopy(join(home, 'app'), manifest),
      database: await createTestDatabase(),
      simulator: await startSimulator(latencyMs === undefined ? {} : { latencyMs }),
      temporal: new Client({ connection, namespace: await ownNamespace() }),
    });
  }

  /** Starts one more process without waiting until it is ready. */
  async add(kind: 'api' | 'worker', env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const name = `${kind}-${this.processes.length + 1}`;
    const added = new ServiceProcess({
      name,
      module: join(this.dist, kind === 'api' ? 'api/main.js' : 'activities/worker.js'),
      env: { ...this.environment, ...env },
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
    await Promise.all([this.temporal.connection.close(), this.simulator.close()]);
    await this.database.drop();
    await rm(this.home, { recursive: true, force: true });
  }
}
