import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { getMigrations } from 'better-auth/db/migration';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { authOptions } from '../../api/auth/accounts.js';
import { migrateDatabase } from '../../cli/connections/with-database.js';
import { type Connections, connect } from '../../db/database.js';
import { isMigrated, migrate } from '../../db/migrate.js';
import { migrations } from '../../db/migrations/index.js';
import { buildIndex, inBatches } from '../../db/migrations/online.js';
import { noMail } from '../support/mail/no-mail.js';
import { dropDatabase } from '../support/service/test-database.js';
import { until } from '../support/until.js';
import { inParallel, useTestWorld } from './support/test-world.js';

const world = useTestWorld();

/** Runs `work` on an empty database. */
async function onEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  await world.sql(`create database ${name} template template0`);
  const url = new URL(world.ownerUrl);
  url.pathname = `/${name}`;
  try {
    await work(url.href);
  } finally {
    await dropDatabase(name, statement => world.sql(statement));
  }
}

const migration = (statement: string) => ({
  up: async (db: Kysely<unknown>) => void (await sql.raw(statement).execute(db)),
});

async function connected<T>(url: string, work: (connections: Connections) => Promise<T>): Promise<T> {
  const connections = connect(url, () => undefined);
  try {
    return await work(connections);
  } finally {
    await connections.close();
  }
}

describe('migrating', () => {
  test('an up-to-date database changes nothing', async () => {
    expect(await migrate(world.ownerUrl)).toEqual([]);
    expect(await migrate(world.url)).toEqual([]);
    expect(await isMigrated(world.db)).toBe(true);
  });

  test('an empty database from six processes at once runs every migration once, in order, and is ready then', async () => {
    await onEmptyDatabase(url =>
      connected(url, async ({ db }) => {
        expect(await isMigrated(db)).toBe(false);
        const ran = await inParallel(6, () => migrate(url));
        expect(ran.flat()).toEqual(Object.keys(migrations));
        expect(await isMigrated(db)).toBe(true);
      }),
    );
  });

  test('goes on where a killed process was, in a backfill and in the build of an index', async () => {
    await onEmptyDatabase(async url => {
      let kills = 1;
      const change = (after: number, upTo: number) =>
        after > 0 && kills-- > 0
          ? sql`select pg_terminate_backend(pg_backend_pid())`
          : sql`update grown set changes = changes + 1 where changes = 0 and id > ${after} and id <= ${upTo}`;
      const backfill = (db: Kysely<unknown>) => inBatches(db, { table: 'grown', key: 'id' }, change);
      const index = { name: 'grown_once', unique: true, on: sql`grown (number)` };
      const all = {
        a: migration(`create table grown as select id, id % 2999 as number, 0 as changes
          from generate_series(1, 3000) as id`),
        b: { up: backfill, online: true },
        c: { up: (db: Kysely<unknown>) => buildIndex(db, index), online: true },
      };
      await expect(migrate(url, all)).rejects.toThrow('the migration b failed: ');
      const duplicate = 'the migration c failed: could not create unique index "grown_once" (23505)';
      await expect(migrate(url, all)).rejects.toThrow(duplicate);
      await connected(url, async ({ pool }) => {
        expect((await pool.query('select distinct changes from grown')).rows).toEqual([{ changes: 1 }]);
        const valid = `select indisvalid as valid from pg_index where indexrelid = 'grown_once'::regclass`;
        expect((await pool.query(valid)).rows).toEqual([{ valid: false }]);
        await pool.query('delete from grown where id = 3000');
        expect(await migrate(url, all)).toEqual(['c']);
        expect((await pool.query(valid)).rows).toEqual([{ valid: true }]);
      });
    });
  });

  test('keeps nothing of a migration that fails, and names it', async () => {
    await onEmptyDatabase(async url => {
      const all = {
        a: migration('create table kept ()'),
        b: migration('create table lost (); select 1 / 0'),
      };
      await expect(migrate(url, all)).rejects.toThrow('the migration b failed: division by zero (22012)');
      await connected(url, async ({ pool }) => {
        const { rows } = await pool.query(`select to_regclass('kept') as kept, to_regclass('lost') as lost`);
        expect(rows).toEqual([{ kept: 'kept', lost: null }]);
      });
    });
  });

  test('tells operators which migration failed, and why', async () => {
    await onEmptyDatabase(async url => {
      await connected(url, ({ pool }) => pool.query('create table accounts ()'));
      await expect(migrateDatabase(url)).rejects.toMatchObject({
        message: expect.stringMatching(
          /^At .+, the migration 0002-.+ failed: relation "accounts" .+ \(42P07\)\.$/,
        ),
        next: expect.stringContaining('it goes on with this migration'),
      });
    });
  });

  test('waits for a table that is being read, and lets writers pass meanwhile', async () => {
    await onEmptyDatabase(async url => {
      const all = {
        a: migration('create table busy ()'),
        b: migration('alter table busy add column later text'),
      };
      await migrate(url, { a: all.a });
      await connected(url, async ({ pool }) => {
        const reader = await pool.connect();
        await reader.query('begin; set idle_in_transaction_session_timeout = 0; select from busy');
        const migrating = migrate(url, all);
        const waits = async () =>
          (await pool.query(`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`))
            .rowCount;
        await until('it waits for the table', waits, count => count === 1);
        await pool.query('insert into busy default values');
        await reader.query('commit');
        reader.release();
        expect(await migrating).toEqual(['b']);
      });
    });
  });

  test('needs no superuser', async () => {
    expect(await world.sql('select rolsuper from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
  });
});

test('the migrations create everything that the built-in accounts require', async () => {
  const pool = new pg.Pool({ connectionString: world.url, max: 1, options: '-c search_path=auth' });
  try {
    const options = authOptions(
      {
        log: pino({ level: 'silent' }),
        baseUrl: 'http://127.0.0.1',
        trustedOrigins: ['http://127.0.0.1'],
        secrets: [{ version: 1, value: randomBytes(32).toString('base64') }],
        ...noMail,
      },
      pool,
      async () => undefined,
    );
    const nothing = { toBeCreated: [], toBeAdded: [], toBeAddedIndexes: [] };
    expect(await getMigrations(options)).toMatchObject(nothing);
  } finally {
    await pool.end();
  }
});
