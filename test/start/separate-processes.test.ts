import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Fleet } from '../support/service/fleet.js';
import type { ServiceProcess } from '../support/service/service-process.js';
import { startTcpProxy, type TcpProxy } from '../support/service/tcp-proxy.js';
import { createEmptyDatabase } from '../support/service/test-database.js';
import { until } from '../support/until.js';

let fleet: Fleet;
/** The ways to PostgreSQL and to Temporal: cut while these are down. */
let proxies: TcpProxy[];
let api: ServiceProcess;
let worker: ServiceProcess;

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    response => response.status,
    () => 0,
  );
}

beforeAll(async () => {
  fleet = await Fleet.start({ isSimulated: true, database: await createEmptyDatabase() });
  const databaseUrl = new URL(fleet.database.url);
  const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  proxies = await Promise.all([databaseUrl.host, temporalAddress].map(startTcpProxy));
  const [toDatabase = '', toTemporal] = proxies.map(({ address }) => address);
  databaseUrl.host = toDatabase;
  for (const proxy of proxies) await proxy.cut();
  const env = { DATABASE_URL: databaseUrl.href, TEMPORAL_ADDRESS: toTemporal };
  [api, worker] = [await fleet.add('api', env), await fleet.add('worker', env)];
});

afterAll(async () => {
  await fleet.stop();
  for (const proxy of proxies) await proxy.cut();
});

describe('API and worker as separate processes', () => {
  test('are alive but not ready while database and Temporal are down', async () => {
    for (const { url } of [api, worker]) {
      await until(`${url} is alive`, async () => (await statusOf(`${url}/healthz`)) === 200);
      expect(await statusOf(`${url}/readyz`)).toBe(503);
    }
    const answer = await fetch(`${api.url}/api/credits/pricing`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'unavailable' });
  });

  test('become ready when the services are up and the database is migrated', async () => {
    for (const proxy of proxies) await proxy.restore();
    expect(await statusOf(`${api.url}/readyz`)).toBe(503);
    const migrated = spawnSync('node', ['dist/cli/migrate.js'], {
      env: { ...fleet.environment, DATABASE_URL: fleet.database.ownerUrl },
      encoding: 'utf8',
    });
    expect(migrated.stdout).toContain('0004-ledger');
    for (const { url } of [api, worker]) {
      await until(`${url} is ready`, async () => (await statusOf(`${url}/readyz`)) === 200);
    }
  });

  test('deliver a report together', async () => {
    const caller = await fleet.newCaller(api, 500);
    const { body, status } = await caller.buy('sample-fed-cut-2031');
    expect(status).toBe(202);
    expect((await caller.untilEnded(body.report_id)).status).toBe('completed');
  });

  test('exit on SIGTERM', async () => {
    const inOrder = { code: 0, signal: null };
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([inOrder, inOrder]);
  });
});
