import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import { choosePort } from '../../../platform/net/free-port.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { ownNamespace } from '../service/own-namespace.js';
import { type Sent, send } from '../service/send.js';
import { ServiceProcess } from '../service/service-process.js';
import { type Answer, TestCaller } from '../service/test-caller.js';
import { createTestDatabase, type TestDatabase } from '../service/test-database.js';
import { until } from '../until.js';
import { selfSignedCertificate, startNginx } from './nginx.js';

/**
 * The service at a public address: two compiled API processes behind nginx with TLS, with the configuration that
 * deploy/README.md recommends. Models are simulated.
 */
export interface PublicService {
  /** The public address, `https://localhost:PORT`. */
  readonly url: string;
  /** Where the proxy answers without TLS. */
  readonly plainUrl: string;
  /** The certificate of the proxy, which signs itself. */
  readonly certificate: { readonly file: string; readonly pem: string };
  readonly apis: readonly [ServiceProcess, ServiceProcess];
  /** Null without `worker`. */
  readonly worker: ServiceProcess | null;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly keyRing: readonly EncryptionKey[];
  /** A new customer who talks to the service through the proxy, from an address of their own. */
  readonly newCaller: (credits: number, has?: { weeklyGrant?: boolean }) => Promise<TestCaller>;
  /** Sends one request through the proxy, or to the URL that is given. Default: from `127.0.0.1`. */
  readonly send: (pathOrUrl: string, sent?: Sent) => Promise<Answer>;
  /** Every line of the logs of both API processes. */
  readonly logs: () => Promise<Record<string, unknown>[]>;
  /** The proxy's own log of errors. */
  readonly proxyLog: () => Promise<string>;
  stop(): Promise<void>;
}

export interface PublicServiceOptions {
  /** Additional environment of all processes. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether reports are made. Default: no. */
  readonly worker?: boolean;
}

export async function startPublicService({
  env = {},
  worker: wantsWorker = false,
}: PublicServiceOptions = {}): Promise<PublicService> {
  const home = await mkdtemp(join(tmpdir(), 'council-public-'));
  await chmod(home, 0o700);
  const [database, namespace, simulator] = await Promise.all([
    createTestDatabase(),
    ownNamespace(),
    startSimulator(),
  ]);
  const [httpsPort, httpPort] = [await choosePort(), await choosePort()];
  const url = `https://localhost:${httpsPort}`;
  const key = randomBytes(32);
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    // As in the image.
    NODE_ENV: 'production',
    COUNCIL_HOME: home,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
    TEMPORAL_NAMESPACE: namespace,
    ENCRYPTION_KEYS: `k1:${key.toString('base64')}`,
    SIMULATOR_URL: simulator.url,
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  };
  const logFile = (name: string) => join(home, `${name}.log`);
  const process_ = async (name: string, module: string) =>
    new ServiceProcess({
      name,
      module,
      env: environment,
      port: await choosePort(),
      logFile: logFile(name),
    }).start();
  const apis = [
    await process_('api-1', 'dist/api/main.js'),
    await process_('api-2', 'dist/api/main.js'),
  ] as const;
  const worker = wantsWorker ? await process_('worker', 'dist/activities/worker.js') : null;
  const processes = [...apis, ...(worker === null ? [] : [worker])];
  const certificate = selfSignedCertificate(home);
  const nginx = startNginx({
    folder: home,
    publicUrl: url,
    httpPort,
    apis: apis.map(api => new URL(api.url).host),
  });
  const { pem: ca } = certificate;
  const sendHere: PublicService['send'] = (pathOrUrl, sent) =>
    send(pathOrUrl.startsWith('/') ? url + pathOrUrl : pathOrUrl, { ca, ...sent });
  const stop = async () => {
    await nginx.stop();
    for (const each of processes) {
      each.kill('SIGKILL');
      await each.ended();
    }
    await Promise.all([simulator.close(), database.drop()]);
    await rm(home, { recursive: true, force: true });
  };
  try {
    await Promise.all(processes.map(each => each.ready()));
    await until('the proxy answers', () =>
      sendHere('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  let callers = 0;
  return {
    url,
    plainUrl: `http://127.0.0.1:${httpPort}`,
    certificate,
    apis,
    worker,
    database,
    simulator,
    keyRing: [{ kid: 'k1', key }],
    newCaller: (credits, has) => {
      callers += 1;
      const from = `127.1.0.${callers}`;
      return TestCaller.signUp(url, database.db, credits, has, (to, sent) => send(to, { ca, from, ...sent }));
    },
    send: sendHere,
    logs: async () => (await Promise.all(apis.map(({ name }) => linesOf(logFile(name))))).flat(),
    proxyLog: () => readFile(join(home, 'error.log'), 'utf8'),
    stop,
  };
}

async function linesOf(file: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter(line => line !== '').map(line => JSON.parse(line));
}
