import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Connections, connect } from '../../../db/database.js';
import type { TcpProxy } from './tcp-proxy.js';

export interface TestDatabase extends Connections {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Hundreds of concurrent purchases share a few connections: on a busy machine they wait longer than a caller
 * would.
 */
const patienceMs = 30_000;

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
  await onServer(shared, run => run(`create database ${name} template ${template}`));
  const url = new URL(shared);
  url.pathname = `/${name}`;
  url.host = through?.address ?? url.host;
  const connections = connect(url.href, () => undefined, { connectTimeoutMs: patienceMs });
  return {
    ...connections,
    url: url.href,
    drop: async () => {
      await connections.close();
      await onServer(shared, run => dropDatabase(name, run));
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
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`,
  );
  await run(`drop database ${name}`);
}
