import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connections, connect } from '../../../db/database.js';
import type { TcpProxy } from './tcp-proxy.js';

/**
 * A database of one test file. `db`, `url` and `servicePool` are those of the service, so that a missing grant fails a test; `pool` and
 * `ownerUrl` are for what only a test does, such as planting a defect.
 */
export interface TestDatabase extends Connections {
  readonly url: string;
  readonly servicePool: pg.Pool;
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

/**
 * Hundreds of concurrent purchases share a few connections: on a busy machine they wait longer than a caller
 * would.
 */
export const patienceMs = 30_000;

/**
 * A new database, migrated and empty, on the shared server.
 * @param through a proxy to that server, which the connections use
 */
export function createTestDatabase(through?: TcpProxy): Promise<TestDatabase> {
  return createDatabase('council', through);
}

/** A new database without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string, through?: TcpProxy): Promise<TestDatabase> {
  const shared = process.env['TEST_DATABASE_URL'];
  if (shared === undefined) throw new Error('the test services are not running');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(shared, async run => {
    await run(`create database ${name} template ${template}`);
    // Privileges on a database are not copied with it; `migrate` would revoke these.
    if (template !== 'template0') await run(`revoke create, temporary on database ${name} from public`);
  });
  const urlOf = (role: string) => {
    const url = new URL(shared);
    const { username, password } = new URL(role);
    Object.assign(url, { username, password, pathname: `/${name}`, host: through?.address ?? url.host });
    return url.href;
  };
  const database = openTestDatabase(urlOf(process.env['TEST_SERVICE_DATABASE_URL'] ?? ''), urlOf(shared));
  return {
    ...database,
    drop: async () => {
      await database.close();
      await onServer(shared, run => dropDatabase(name, run));
    },
  };
}

/** Connections to a database that exists, as the service and as its owner. */
export function openTestDatabase(url: string, ownerUrl: string): Omit<TestDatabase, 'drop'> {
  const limits = { connectTimeoutMs: patienceMs };
  const service = connect(url, () => undefined, limits);
  const owner = connect(ownerUrl, () => undefined, limits);
  return {
    url,
    ownerUrl,
    db: service.db,
    servicePool: service.pool,
    pool: owner.pool,
    close: async () => {
      await Promise.all([service.close(), owner.close()]);
    },
  };
}

/** PostgreSQL refuses two concurrent copies of one template, so a lock serialises them. */
async function onServer(
  serverUrl: string,
  work: (run: (statement: string) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    await work(statement => client.query(statement));
  } finally {
    await client.end();
  }
}

/**
 * Drops a database whose sessions may still be open. Without `with (force)`, which fails during an autovacuum
 * because only a superuser may end that. A plain drop cancels the autovacuum and waits.
 */
export async function dropDatabase(
  name: string,
  run: (statement: string) => Promise<unknown>,
): Promise<void> {
  await run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pg_has_role(usename, 'member')`,
  );
  await run(`drop database ${name}`);
}
