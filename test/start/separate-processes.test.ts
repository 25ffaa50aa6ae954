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

  test('keep what needs a session on DATABASE_DIRECT_URL', async () => {
    const named = (name: string) => {
      const url = new URL(fleet.database.url);
      url.searchParams.set('application_name', name);
      return url.href;
    };
    const pooled = await fleet.add('api', {
      DATABASE_URL: named('pooled'),
      DATABASE_DIRECT_URL: named('direct'),
    });
    const pathOf = async (query: string) => {
      const { rows } = await fleet.database.pool.query<{ name: string }>(
        `select distinct application_name as name from pg_stat_activity
         where datname = current_database() and application_name in ('pooled', 'direct') and query ~ $1`,
        [query],
      );
      return rows.map(({ name }) => name);
    };
    await until(
      'the API listens',
      () => pathOf('^listen'),
      paths => paths.length > 0,
    );
    expect(await pathOf('^listen')).toEqual(['direct']);
    await pooled.ready();
    await fleet.newCaller(pooled, 0);
    // A startup option names the schema of the built-in accounts.
    expect(await pathOf('from "(user|session|account|jwks)"')).toEqual(['direct']);
    expect(await pathOf('.')).toEqual(expect.arrayContaining(['direct', 'pooled']));
    await pooled.stop();
  });

  test('exit on SIGTERM', async () => {
    const inOrder = { code: 0, signal: null };
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([inOrder, inOrder]);
  });
});
