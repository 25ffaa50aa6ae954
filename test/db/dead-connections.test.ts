import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { allowLongReads, connect, isDatabaseUnavailable } from '../../db/database.js';
import { Link } from '../chaos/deployment/link.js';
import { until } from '../support/until.js';
import { useTestWorld } from './support/test-world.js';

/** Shorter than in the service, so that no test waits for the real limits. */
const limits = { silenceMaxMs: 500, idleInTransactionMaxMs: 300 };

const world = useTestWorld();
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

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

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
