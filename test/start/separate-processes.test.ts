import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { useFleet } from '../support/service/fleet.js';
import { startTcpProxy } from '../support/service/tcp-proxy.js';
import { createEmptyDatabase } from '../support/service/test-database.js';
import { until } from '../support/until.js';

const fleet = await useFleet({ isSimulated: true, database: await createEmptyDatabase() });
const databaseUrl = new URL(fleet.database.url);
const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
/** The ways to PostgreSQL and to Temporal: cut while these are down. */
const proxies = await Promise.all([databaseUrl.host, temporalAddress].map(startTcpProxy));
const [toDatabase = '', toTemporal] = proxies.map(({ address }) => address);
databaseUrl.host = toDatabase;
for (const proxy of proxies) await proxy.cut();
afterAll(() => Promise.all(proxies.map(proxy => proxy.cut())));
const env = { DATABASE_URL: databaseUrl.href, TEMPORAL_ADDRESS: toTemporal };
const [api, worker] = [await fleet.add('api', env), await fleet.add('worker', env)];

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    response => response.status,
    () => 0,
  );
}

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
