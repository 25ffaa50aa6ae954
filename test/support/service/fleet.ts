import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { type EncryptionKey, formatKeyRing } from '../../../platform/keys/key-ring.js';
import { withTimeout } from '../../../platform/net/with-timeout.js';
import { vendorEnvironment } from '../../../providers/vendor-settings.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { testPort } from '../test-port.js';
import { processTestMs } from '../until.js';
import { deployCopy, type ManifestChange } from './deploy-copy.js';
import { ownNamespace } from './own-namespace.js';
import { ServiceProcess } from './service-process.js';
import { TestCaller } from './test-caller.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export interface FleetOptions {
  /** The processes are a copy of the compiled service with this change of `temporal.yaml`. */
  readonly manifest?: ManifestChange;
  /** How long a model call takes. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** Whether the models are declared as simulated. Default: they are called as live ones are. */
  readonly isSimulated?: boolean;
  /** Default: a new one. The fleet drops it. */
  readonly database?: TestDatabase;
}

/** A fleet for all tests of a file, stopped after them. */
export async function useFleet(options: FleetOptions = {}): Promise<Fleet> {
  const fleet = await withTimeout(processTestMs, Fleet.start(options));
  afterAll(() => fleet.stop(), processTestMs);
  return fleet;
}

/**
 * A deployment on one machine: any number of compiled API and worker processes against one database and one Temporal
 * namespace. The models are simulated in the test process, which outlives the others.
 */
export class Fleet {
  readonly home: string;
  readonly simulator: Simulator;
  readonly database: TestDatabase;
  readonly temporal: Client;
  readonly keyRing: readonly EncryptionKey[] = [{ kid: 'k1', key: randomBytes(32) }];
  private readonly models: NodeJS.ProcessEnv;
  private readonly dist: string;
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    parts: Pick<Fleet, 'home' | 'simulator' | 'database' | 'temporal'> & {
      dist: string;
      models: NodeJS.ProcessEnv;
    },
  ) {
    this.home = parts.home;
    this.simulator = parts.simulator;
    this.database = parts.database;
    this.temporal = parts.temporal;
    this.dist = parts.dist;
    this.models = parts.models;
  }

  static async start(options: FleetOptions = {}): Promise<Fleet> {
    const { manifest, latencyMs, isSimulated = false } = options;
    const home = await mkdtemp(join(tmpdir(), 'council-fleet-'));
    const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
    const simulator = await startSimulator(latencyMs === undefined ? {} : { latencyMs });
    return new Fleet({
      home,
      simulator,
      dist: manifest === undefined ? 'dist' : await deployCopy(join(home, 'app'), manifest),
      database: options.database ?? (await createTestDatabase()),
      temporal: new Client({ connection, namespace: await ownNamespace() }),
      models: isSimulated
        ? { SIMULATOR_URL: simulator.url }
        : {
            COUNCIL_PROVIDERS: 'live',
            MARKETS: 'sample',
            ...vendorEnvironment(houseKeys, simulator.baseUrls),
          },
    });
  }

  /** Starts one more process without waiting until it is ready. An API serves its metrics at another port. */
  async add(kind: 'api' | 'worker', env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const name = `${kind}-${this.processes.length + 1}`;
    const added = new ServiceProcess({
      name,
      module: join(this.dist, kind === 'api' ? 'api/main.js' : 'activities/worker.js'),
      env: { ...this.environment, ...env },
      port: await testPort(),
      ...(kind === 'api' ? { metricsPort: await testPort() } : {}),
      logFile: this.logFile(name),
    });
    this.processes.push(added);
    return added.start();
  }

  /** That of every process. */
  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      COUNCIL_HOME: this.home,
      DATABASE_URL: this.database.url,
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
      TEMPORAL_NAMESPACE: this.temporal.options.namespace,
      ENCRYPTION_KEYS: formatKeyRing(this.keyRing),
      ...this.models,
    };
  }

  /** Waits until all processes are ready. */
  async ready(): Promise<void> {
    await Promise.all(this.processes.map(each => each.ready()));
  }

  /** A new customer of one of the APIs. */
  newCaller(api: ServiceProcess, credits: number, has?: { weeklyGrant?: boolean }): Promise<TestCaller> {
    return TestCaller.signUp(api.url, this.database.db, credits, has);
  }

  /** Every line of a process's log. */
  async logOf({ name }: ServiceProcess): Promise<Record<string, unknown>[]> {
    const lines = (await readFile(this.logFile(name), 'utf8')).split('\n');
    return lines.filter(line => line !== '').map(line => JSON.parse(line));
  }

  async stop(): Promise<void> {
    for (const each of this.processes) {
      each.kill('SIGKILL');
      await each.ended();
    }
    await Promise.all([this.temporal.connection.close(), this.simulator.close()]);
    await this.database.drop();
    await rm(this.home, { recursive: true, force: true });
  }

  private logFile(name: string): string {
    return join(this.home, `${name}.log`);
  }
}

const houseKeys = {
  openai: 'test-openai-key',
  anthropic: 'test-anthropic-key',
  google: 'test-gemini-key',
  xai: 'test-xai-key',
};
