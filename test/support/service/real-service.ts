import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { choosePort } from '../../../platform/net/free-port.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { liveVendors } from './live-vendors.js';
import { ownNamespace } from './own-namespace.js';
import { ServiceProcess } from './service-process.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { TestCaller } from './test-caller.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The compiled API and worker as separate processes, on services that the test can inspect. */
export interface RealService {
  readonly api: ServiceProcess;
  readonly worker: ServiceProcess;
  readonly database: TestDatabase;
  /** The processes' connection to the database; the test uses another. */
  readonly databaseProxy: TcpProxy;
  readonly simulator: Simulator;
  readonly temporal: Client;
  readonly namespace: string;
  newCaller(credits: number, has?: { weeklyGrant?: boolean }): Promise<TestCaller>;
  /** Every line of a process's log. */
  logOf(process: ServiceProcess): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** @param env additional environment of both processes */
export async function startRealService(env: NodeJS.ProcessEnv = {}): Promise<RealService> {
  const home = await mkdtemp(join(tmpdir(), 'council-real-'));
  await chmod(home, 0o700);
  const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  const namespace = await ownNamespace();
  const database = await createTestDatabase();
  const databaseUrl = new URL(database.url);
  const databaseProxy = await startTcpProxy(databaseUrl.host);
  databaseUrl.host = databaseProxy.address;
  const simulator = await startSimulator();
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    COUNCIL_HOME: home,
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    MARKETS: 'sample',
    ...liveVendors(simulator.baseUrls),
    ...env,
  };
  const process_ = async (name: string, module: string, metricsPort?: number) =>
    new ServiceProcess({
      ...(metricsPort === undefined ? {} : { metricsPort }),
      name,
      module,
      env: environment,
      port: await choosePort(0),
      logFile: join(home, `${name}.log`),
    }).start();
  const api = await process_('api', 'dist/api/main.js', await choosePort(0));
  const worker = await process_('worker', 'dist/activities/worker.js');
  const connection = await Connection.connect({ address });
  const stop = async () => {
    for (const each of [api, worker]) {
      each.kill('SIGKILL');
      await each.ended();
    }
    await Promise.all([connection.close(), simulator.close(), databaseProxy.cut()]);
    await database.drop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    await Promise.all([api.ready(), worker.ready()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    api,
    worker,
    database,
    databaseProxy,
    simulator,
    temporal: new Client({ connection, namespace }),
    namespace,
    newCaller: (credits, has) => TestCaller.signUp(api.url, database.db, credits, has),
    logOf: async ({ name }) =>
      (await readFile(join(home, `${name}.log`), 'utf8'))
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line)),
    stop,
  };
}
