import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { connect } from '../../../../db/database.js';
import { migrate, readServerState } from '../../../../db/migrate.js';
import {
  type EmbeddedPostgres,
  startPostgres,
} from '../../../../platform/embedded/postgres/start-postgres.js';
import { query, scratchDirectory } from '../support.js';

const scratch = await scratchDirectory();
const home = join(scratch, 'home');
let server: EmbeddedPostgres;

const start = () =>
  startPostgres({
    home,
    port: 0,
    durable: false,
    elsewhere: join(scratch, 'elsewhere'),
    log: () => undefined,
  });

beforeAll(async () => {
  await mkdir(home);
  server = await start();
});
afterAll(() => server.stop());

async function superuserUrl(): Promise<string> {
  const { password } = JSON.parse(await readFile(join(home, 'postgres.json'), 'utf8'));
  return Object.assign(new URL(server.url), { username: 'postgres', password, pathname: '/postgres' }).href;
}

async function stateOf(url: string) {
  const { db, close } = connect(url, () => undefined);
  try {
    return await readServerState(db);
  } finally {
    await close();
  }
}

const count = 'select count(*)::int as events from events';

describe('a home of a release that had one role for everything', () => {
  test('goes on working with that role, which doctor can tell', async () => {
    await query(await superuserUrl(), 'drop role council_service');
    await migrate(server.ownerUrl);
    await query(
      server.ownerUrl,
      `insert into events (event_id, source, title, event, read_at) values ('e', 'sample', 'Rain?', '{}', now())`,
    );
    expect(await stateOf(server.ownerUrl)).toMatchObject({
      pending: [],
      role: { name: 'council', ownsTables: true, unreadable: [] },
    });
    await expect(query(server.url, count)).rejects.toThrow('password authentication failed');
  });

  test('has the role of the service after its next start, with the same rows', async () => {
    await server.stop();
    server = await start();
    expect((await stateOf(server.ownerUrl)).role.ownsTables).toBe(true);
    await migrate(server.ownerUrl);
    expect(await query(server.url, count)).toEqual([{ events: 1 }]);
    expect((await stateOf(server.url)).role).toMatchObject({ name: 'council_service', ownsTables: false });
  });

  test('keeps the password of its owner from the service', () => {
    expect(new URL(server.url).password).not.toBe(new URL(server.ownerUrl).password);
  });
});

describe('deploy/postgres/roles.sql', () => {
  const passwords = {
    OWNER_PASSWORD: 'owner-secret',
    SERVICE_PASSWORD: "service's secret",
    TEMPORAL_PASSWORD: 'temporal-secret',
  };
  const urlOf = (username: string, password: string, database: string) =>
    Object.assign(new URL(server.url), { username, password, pathname: `/${database}` }).href;
  const ownerUrl = (database: string) => urlOf('council', passwords.OWNER_PASSWORD, database);
  const serviceUrl = (database: string) => urlOf('council_service', passwords.SERVICE_PASSWORD, database);
  const temporalUrl = (database: string) => urlOf('temporal', passwords.TEMPORAL_PASSWORD, database);

  /** What `psql` makes of the file: its variables, and statements whose rows are statements. */
  async function runFile(client: pg.Client): Promise<void> {
    const text = (await readFile('deploy/postgres/roles.sql', 'utf8')).replaceAll(/^--.*\n/gm, '');
    const variables = new Map(
      [...text.matchAll(/^\\getenv (\w+) (\w+)$/gm)].map(([, name, from]) => [name, from]),
    );
    const filled = text
      .replaceAll(/^\\(set|getenv) .*\n/gm, '')
      .replaceAll(/:'(\w+)'/g, (_, name) =>
        client.escapeLiteral(passwords[variables.get(name) as keyof typeof passwords]),
      );
    for (const [, statement = '', end] of filled.matchAll(/\s*([^;\\]+)(;|\\gexec)/g)) {
      const { rows } = await client.query(statement);
      if (end === '\\gexec') for (const row of rows) await client.query(String(Object.values(row)[0]));
    }
  }

  beforeAll(async () => {
    const client = new pg.Client({ connectionString: await superuserUrl() });
    await client.connect();
    await client.query('drop database council');
    await client.query('drop role council_service');
    await client.query('drop role council');
    for (const _ of ['on a new server', 'once more']) await runFile(client);
    await client.end();
    await migrate(ownerUrl('council'));
  });

  test('makes an owner who migrates, and a service that works and owns nothing', async () => {
    expect(await stateOf(serviceUrl('council'))).toMatchObject({
      pending: [],
      role: { superuser: false, ownsTables: false, createsObjects: false, unreadable: [] },
    });
    expect(await query(serviceUrl('council'), count)).toEqual([{ events: 0 }]);
    const roles = `select rolname from pg_roles where rolname in ('council', 'council_service', 'temporal')
      and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)`;
    expect(await query(ownerUrl('council'), roles)).toEqual([]);
  });

  test('keeps Temporal in its own databases, and the service out of them', async () => {
    for (const database of ['temporal', 'temporal_visibility']) {
      await query(temporalUrl(database), 'create table executions (id int)', 'drop table executions');
      await expect(query(serviceUrl(database), 'select 1')).rejects.toThrow('permission denied for database');
    }
    await expect(query(temporalUrl('council'), 'select 1')).rejects.toThrow('permission denied for database');
    await expect(query(temporalUrl('temporal'), 'create database other')).rejects.toThrow(
      'permission denied',
    );
  });
});
