import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { allowLongReads, connect, type Db, isDatabaseUnavailable } from '../../db/database.js';
import { Link } from '../chaos/deployment/link.js';
import { until } from '../support/until.js';
import { inParallel, useTestWorld } from './support/test-world.js';

const world = useTestWorld();

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('an unreachable server counts as unavailable', async () => {
  const { db, close } = connect('postgres://nobody@127.0.0.1:1/nothing', () => undefined);
  expect(isDatabaseUnavailable(await failureOf(sql`select 1`.execute(db)))).toBe(true);
  await close();
});

test('a connection that the server closes during a query counts as unavailable', async () => {
  const { pool, close } = connect(world.url, () => undefined);
  const client = await pool.connect();
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
  const asleep = failureOf(client.query('select pg_sleep(60)'));
  await world.sql('select pg_terminate_backend($1)', [pid]);
  expect(isDatabaseUnavailable(await asleep)).toBe(true);
  client.release(true);
  await close();
});

test('a statement timeout counts as unavailable', async () => {
  const { pool, close } = connect(world.url, () => undefined);
  const client = await pool.connect();
  await client.query('set statement_timeout = 50');
  expect(isDatabaseUnavailable(await failureOf(client.query('select pg_sleep(60)')))).toBe(true);
  client.release(true);
  await close();
});

test('a connection that breaks fails its queries, never the process', async () => {
  const { db, close } = connect(world.url, () => undefined);
  const ended = await inParallel(10, () =>
    failureOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)),
  );
  expect(ended.map(isDatabaseUnavailable)).toEqual(ended.map(() => true));
  // The pool still hands out connections that it does not yet know to be broken.
  const failures = await inParallel(40, () => failureOf(sql`select 1`.execute(db)));
  expect(failures.filter(failure => failure !== null && !isDatabaseUnavailable(failure))).toEqual([]);
  expect(await failureOf(sql`select 1`.execute(db))).toBeNull();
  await close();
});

test('a transaction that lost its connection counts as unavailable', async () => {
  const { db, close } = connect(world.url, () => undefined);
  const cutShort = db.transaction().execute(async tx => {
    await failureOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx));
    await new Promise(setImmediate);
    await sql`select 1`.execute(tx);
  });
  const failure = await failureOf(cutShort);
  expect(String(failure)).toMatch(/not queryable/);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  await close();
});

test('an invalid or rejected statement does not count as unavailable', async () => {
  expect(isDatabaseUnavailable(await failureOf(world.sql('select nonsense')))).toBe(false);
  expect(
    isDatabaseUnavailable(await failureOf(world.sql('delete from ledger_entries; truncate reports'))),
  ).toBe(false);
  expect(isDatabaseUnavailable(new Error('a mistake of ours'))).toBe(false);
  expect(isDatabaseUnavailable('text')).toBe(false);
});

/** Shorter than in the service, so that no test waits for the real limits. */
const limits = { silenceMaxMs: 500, idleInTransactionMaxMs: 300 };

let link: Link;
beforeAll(async () => {
  link = await Link.lay('database', () => Number(new URL(world.url).port));
});
afterAll(() => link.close());

function throughLink(): string {
  const url = new URL(world.url);
  url.port = String(link.port);
  return url.href;
}

test('a server that vanishes without closing its connections fails their queries, and the pool recovers', async () => {
  const { db, close } = connect(throughLink(), () => undefined, limits);
  await sql`select 1`.execute(db);
  link.become({ kind: 'half_open' });
  expect(isDatabaseUnavailable(await failureOf(sql`select 1`.execute(db)))).toBe(true);
  await sql`select 1`.execute(db);
  await close();
});

test('a process that vanishes without closing its connections frees their places in the server', async () => {
  const { db, close } = connect(throughLink(), () => undefined, limits);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  link.become({ kind: 'cut' });
  await until('the server has ended the session', async () => {
    const found = await sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(world.db);
    return found.rows.length === 0;
  });
  link.become({ kind: 'calm' });
  await close();
});

test('a process that stops in the middle of a transaction loses its locks', async () => {
  const { db, pool, close } = connect(world.url, () => undefined, limits);
  const stopped = await pool.connect();
  const accountId = await world.openAccount();
  await stopped.query('begin');
  await stopped.query('select id from accounts where id = $1 for update', [accountId]);
  await sql`select id from accounts where id = ${accountId} for update`.execute(db);
  expect(isDatabaseUnavailable(await failureOf(stopped.query('commit')))).toBe(true);
  stopped.release(true);
  await close();
});

test('a statement that waits too long for a lock counts as unavailable', async () => {
  const { db, close } = connect(world.url, () => undefined, { ...limits, lockWaitMaxMs: 100 });
  const accountId = await world.openAccount();
  await world.together(async holder => {
    await holder.query('select id from accounts where id = $1 for update', [accountId]);
    const waiting = sql`select id from accounts where id = ${accountId} for update`.execute(db);
    expect(isDatabaseUnavailable(await failureOf(waiting))).toBe(true);
  });
  await close();
});

test('a transaction that reads whole tables may compute for longer between two statements', async () => {
  const { db, close } = connect(world.url, () => undefined, limits);
  const settings = await db.transaction().execute(async tx => {
    await allowLongReads(tx);
    const { rows } = await sql<{ ms: string }>`
      select setting as ms from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout')`.execute(tx);
    return rows.map(({ ms }) => ms);
  });
  expect(settings).toEqual(['60000', '60000']);
  await close();
});

/** What the session holds, with one connection: work is done one statement after the other. */
async function preparedIn(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  return rows.map(({ statement }) => statement);
}

test('a statement is prepared once it is sent often, and a `select *` or a rare statement never', async () => {
  const { db, close } = connect(world.url, () => undefined);
  for (let sent = 0; sent < 10; sent += 1) {
    await sql`select ${sent}::int as often`.execute(db);
    await sql`select * from (select ${sent}::int) as whole`.execute(db);
  }
  await sql`select ${1}::int as rare`.execute(db);
  expect(await preparedIn(db)).toEqual(['select $1::int as often']);
  await close();
});

test('a session holds a bounded number of statements', async () => {
  const { db, close } = connect(world.url, () => undefined);
  for (let text = 0; text < 200; text += 1) {
    for (let sent = 0; sent < 5; sent += 1) {
      await sql`select ${sent}::int as ${sql.ref(`column_${text}`)}`.execute(db);
    }
  }
  expect((await preparedIn(db)).length).toBe(150);
  await close();
});

test('the generated types match the migrated database; after a migration, run `npm run tables`', async () => {
  const options = ['--config-file', 'db/schema/kysely-codegen.config.cjs', '--verify'];
  await promisify(execFile)('node_modules/.bin/kysely-codegen', options, {
    env: { ...process.env, DATABASE_URL: world.ownerUrl },
  });
});
