import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fleet } from '../service/fleet.js';
import { type Sent, send } from '../service/send.js';
import type { ServiceProcess } from '../service/service-process.js';
import { type Answer, TestCaller } from '../service/test-caller.js';
import { testPort } from '../test-port.js';
import { until } from '../until.js';
import { selfSignedCertificate, startNginx } from './nginx.js';

/**
 * The service at a public address: two compiled API processes behind nginx with TLS, with the configuration that
 * deploy/README.md recommends. Models are simulated.
 */
export interface PublicService extends Pick<Fleet, 'database' | 'simulator' | 'keyRing'> {
  /** The public address, `https://localhost:PORT`. */
  readonly url: string;
  /** Where the proxy answers without TLS. */
  readonly plainUrl: string;
  /** The certificate of the proxy, which signs itself. */
  readonly certificate: { readonly file: string; readonly pem: string };
  readonly apis: readonly [ServiceProcess, ServiceProcess];
  /** Null without `worker`. */
  readonly worker: ServiceProcess | null;
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
  const fleet = await Fleet.start({ isSimulated: true });
  const { home, database, simulator, keyRing } = fleet;
  const [httpsPort, httpPort] = [await testPort(), await testPort()];
  const url = `https://localhost:${httpsPort}`;
  // Production, as in the image.
  const environment = { NODE_ENV: 'production', PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1', ...env };
  const apis = [await fleet.add('api', environment), await fleet.add('api', environment)] as const;
  const worker = wantsWorker ? await fleet.add('worker', environment) : null;
  const certificate = selfSignedCertificate(home);
  const servers = apis.map(api => new URL(api.url).host);
  const nginx = startNginx({ folder: home, publicUrl: url, httpPort, apis: servers });
  const { pem: ca } = certificate;
  const sendHere: PublicService['send'] = (pathOrUrl, sent) =>
    send(pathOrUrl.startsWith('/') ? url + pathOrUrl : pathOrUrl, { ca, ...sent });
  const stop = async () => {
    await nginx.stop();
    await fleet.stop();
  };
  const isReady = () =>
    sendHere('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await Promise.all([fleet.ready(), until('the proxy answers', isReady)]).catch(async error => {
    await stop();
    throw error;
  });
  let callers = 0;
  return {
    url,
    plainUrl: `http://127.0.0.1:${httpPort}`,
    certificate,
    apis,
    worker,
    database,
    simulator,
    keyRing,
    newCaller: (credits, has) => {
      callers += 1;
      const from = `127.1.0.${callers}`;
      return TestCaller.signUp(url, database.db, credits, has, (to, sent) => send(to, { ca, from, ...sent }));
    },
    send: sendHere,
    logs: async () => (await Promise.all(apis.map(api => fleet.logOf(api)))).flat(),
    proxyLog: () => readFile(join(home, 'error.log'), 'utf8'),
    stop,
  };
}
