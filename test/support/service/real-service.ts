import { Fleet } from './fleet.js';
import type { ServiceProcess } from './service-process.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import type { TestCaller } from './test-caller.js';

/** The compiled API and worker as separate processes, on services that the test can inspect. */
export interface RealService extends Pick<Fleet, 'database' | 'simulator' | 'temporal'> {
  readonly api: ServiceProcess;
  readonly worker: ServiceProcess;
  /** The processes' connection to the database; the test uses another. */
  readonly databaseProxy: TcpProxy;
  readonly namespace: string;
  newCaller(credits: number, has?: { weeklyGrant?: boolean }): Promise<TestCaller>;
  /** Every line of a process's log. */
  logOf(process: ServiceProcess): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** @param env additional environment of both processes */
export async function startRealService(env: NodeJS.ProcessEnv = {}): Promise<RealService> {
  const fleet = await Fleet.start();
  const { database, simulator, temporal } = fleet;
  const databaseUrl = new URL(database.url);
  const databaseProxy = await startTcpProxy(databaseUrl.host);
  databaseUrl.host = databaseProxy.address;
  const environment = { DATABASE_URL: databaseUrl.href, ...env };
  const [api, worker] = [await fleet.add('api', environment), await fleet.add('worker', environment)];
  const stop = async () => {
    await fleet.stop();
    await databaseProxy.cut();
  };
  await fleet.ready().catch(async error => {
    await stop();
    throw error;
  });
  return {
    api,
    worker,
    database,
    databaseProxy,
    simulator,
    temporal,
    namespace: temporal.options.namespace,
    newCaller: (credits, has) => fleet.newCaller(api, credits, has),
    logOf: each => fleet.logOf(each),
    stop,
  };
}
