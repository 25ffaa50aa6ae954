import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../../db/database.js';
import { type EmbeddedServices, startEmbedded } from '../../platform/embedded/start-embedded.js';
import { choosePort } from '../../platform/net/free-port.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { readTemporalManifest } from '../../platform/temporal/manifest.js';
import { TestCaller } from '../support/service/test-caller.js';
import { until } from '../support/until.js';

let home: string;
let services: EmbeddedServices | null = null;
let processes: ChildProcess[] = [];
let env: NodeJS.ProcessEnv;
let apiUrl: string;
let workerUrl: string;
let ports: { postgres: number; temporal: number };

async function startServices(): Promise<EmbeddedServices> {
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  return startEmbedded({
    home,
    wantPostgres: true,
    wantTemporal: true,
    postgresPort: ports.postgres,
    temporal: {
      env: process.env,
      namespace: manifest.namespace,
      flags: manifest.embedded_server.flags,
      port: ports.temporal,
    },
    log: () => undefined,
  });
}

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
  ports = { postgres: await choosePort(0), temporal: await choosePort(0) };
  const first = await startServices();
  env = {
    ...process.env,
    NODE_OPTIONS: '',
    COUNCIL_HOME: home,
    DATABASE_URL: first.databaseUrl,
    TEMPORAL_ADDRESS: first.temporalAddress,
  };
  await first.stop();
  const [apiPort, workerPort] = [await choosePort(0), await choosePort(0)];
  apiUrl = `http://127.0.0.1:${apiPort}`;
  workerUrl = `http://127.0.0.1:${workerPort}`;
  processes = [run('dist/api/main.js', apiPort), run('dist/activities/worker.js', workerPort)];
});

afterAll(async () => {
  for (const child of processes) {
    const exited = new Promise(resolve => child.once('exit', resolve));
    if (child.kill('SIGTERM')) await exited;
  }
  await services?.stop();
  await rm(home, { recursive: true, force: true });
});

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
    services = await startServices();
    expect([services.databaseUrl, services.temporalAddress]).toEqual([
      env['DATABASE_URL'],
      env['TEMPORAL_ADDRESS'],
    ]);
    expect(await statusOf(`${apiUrl}/readyz`)).toBe(503);
    const migrated = spawnSync('node', ['dist/cli/migrate.js'], {
      env: { ...env, DATABASE_URL: services.ownerDatabaseUrl },
      encoding: 'utf8',
    });
    expect(migrated.stdout).toContain('0004-ledger');
    for (const url of [apiUrl, workerUrl]) {
      await until(`${url} is ready`, async () => (await statusOf(`${url}/readyz`)) === 200);
    }
  });

  test('deliver a report together', async () => {
    const { db, close } = connect(env['DATABASE_URL'] ?? '', () => undefined);
    const caller = await TestCaller.signUp(apiUrl, db, 500);
    const { body, status } = await caller.buy('sample-fed-cut-2031');
    expect(status).toBe(202);
    expect((await caller.untilEnded(body.report_id)).status).toBe('completed');
    await close();
  });

  test('exit on SIGTERM', async () => {
    const codes = await Promise.all(
      processes.map(child => {
        const exited = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGTERM');
        return exited;
      }),
    );
    processes = [];
    expect(codes).toEqual([0, 0]);
  });
});
