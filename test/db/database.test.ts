import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { connect, isDatabaseUnavailable } from '../../db/database.js';
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
