import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { choosePort } from '../../platform/net/free-port.js';
import { ownNamespace } from '../support/service/own-namespace.js';
import { startTcpProxy, type TcpProxy } from '../support/service/tcp-proxy.js';
import { TestCaller } from '../support/service/test-caller.js';
import { createEmptyDatabase, type TestDatabase } from '../support/service/test-database.js';
import { until } from '../support/until.js';

let home: string;
let database: TestDatabase;
/** The ways to PostgreSQL and to Temporal: cut while these are down. */
let proxies: TcpProxy[];
let processes: ChildProcess[] = [];
let env: NodeJS.ProcessEnv;
let apiUrl: string;
let workerUrl: string;

function run(module: string, port: number): ChildProcess {
  return spawn('node', [module], { env: { ...env, PORT: String(port) }, stdio: 'ignore' });
}

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    response => response.status,
    () => 0,
  );
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'council-apart-'));
  await chmod(home, 0o711);
  database = await createEmptyDatabase();
  const databaseUrl = new URL(database.url);
  const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  proxies = await Promise.all([databaseUrl.host, temporalAddress].map(startTcpProxy));
  const [toDatabase = '', toTemporal] = proxies.map(({ address }) => address);
  databaseUrl.host = toDatabase;
  env = {
    ...process.env,
    NODE_OPTIONS: '',
    COUNCIL_HOME: home,
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: toTemporal,
    TEMPORAL_NAMESPACE: await ownNamespace(),
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  };
  for (const proxy of proxies) await proxy.cut();
  const [apiPort, workerPort] = [await choosePort(0), await choosePort(0)];
  apiUrl = `http://127.0.0.1:${apiPort}`;
  workerUrl = `http://127.0.0.1:${workerPort}`;
  processes = [run('dist/api/main.js', apiPort), run('dist/activities/worker.js', workerPort)];
});

afterAll(async () => {
  await stopAll();
  for (const proxy of proxies) await proxy.cut();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

/** Ends the processes as their supervisor would. @returns their exit codes */
function stopAll(): Promise<unknown[]> {
  const stopped = processes.map(child => {
    const exited = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGTERM');
    return exited;
  });
  processes = [];
  return Promise.all(stopped);
}

describe('API and worker as separate processes', () => {
  test('are alive but not ready while database and Temporal are down', async () => {
    for (const url of [apiUrl, workerUrl]) {
      await until(`${url} is alive`, async () => (await statusOf(`${url}/healthz`)) === 200);
      expect(await statusOf(`${url}/readyz`)).toBe(503);
    }
    const answer = await fetch(`${apiUrl}/api/credits/pricing`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'unavailable' });
  });

  test('become ready when the services are up and the database is migrated', async () => {
    for (const proxy of proxies) await proxy.restore();
    expect(await statusOf(`${apiUrl}/readyz`)).toBe(503);
    const migrated = spawnSync('node', ['dist/cli/migrate.js'], {
      env: { ...env, DATABASE_URL: database.ownerUrl },
      encoding: 'utf8',
    });
    expect(migrated.stdout).toContain('0004-ledger');
    for (const url of [apiUrl, workerUrl]) {
      await until(`${url} is ready`, async () => (await statusOf(`${url}/readyz`)) === 200);
    }
  });

  test('deliver a report together', async () => {
    const caller = await TestCaller.signUp(apiUrl, database.db, 500);
    const { body, status } = await caller.buy('sample-fed-cut-2031');
    expect(status).toBe(202);
    expect((await caller.untilEnded(body.report_id)).status).toBe('completed');
  });

  test('exit on SIGTERM', async () => {
    expect(await stopAll()).toEqual([0, 0]);
  });
});
