import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { authOptions } from '../../api/auth/accounts.js';
import { type Connections, connect } from '../../db/database.js';
import { isMigrated, migrate } from '../../db/migrate.js';
import { migrations } from '../../db/migrations/index.js';
import { noMail } from '../support/mail/no-mail.js';
import { dropDatabase } from '../support/service/test-database.js';
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
    expect(await migrate(world.db)).toEqual([]);
    expect(await migrate(world.db)).toEqual([]);
    expect(await isMigrated(world.db)).toBe(true);
  });

  test('an empty database from six processes at once runs every migration once, in order', async () => {
    await onEmptyDatabase(async url => {
      const ran = await inParallel(6, () => connected(url, ({ db }) => migrate(db)));
      expect(ran.flat()).toEqual(Object.keys(migrations));
    });
  });

  test('a database is not ready until the last migration has run', async () => {
    await onEmptyDatabase(url =>
      connected(url, async ({ db }) => {
        expect(await isMigrated(db)).toBe(false);
        await migrate(db);
        expect(await isMigrated(db)).toBe(true);
      }),
    );
  });

  test('finds the slugs of the events that were stored before', async () => {
    await onEmptyDatabase(url =>
      connected(url, async ({ db }) => {
        await migrate(db);
        await sql`drop table event_slugs`.execute(db);
        const urls = {
          one: 'https://polymarket.com/event/rain-in-march',
          two: 'https://polymarket.com/event/77',
          three: 'https://example.com/event/snow',
        };
        for (const [id, url] of Object.entries(urls)) {
          await sql`insert into events (event_id, source, title, event, read_at)
            values (${id}, 'polymarket', 'Rain?', ${JSON.stringify({ url })}, now())`.execute(db);
        }
        await sql`drop index report_purchases_refunded_runs, reports_failed_runs`.execute(db);
        await migrations['0012-run-limits-and-slugs']?.up(db);
        const { rows } = await sql`select slug, event_id from event_slugs`.execute(db);
        expect(rows).toEqual([{ slug: 'rain-in-march', event_id: 'one' }]);
      }),
    );
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
    const { toBeCreated, toBeAdded, toBeAddedIndexes } = await getMigrations(options);
    expect({ toBeCreated, toBeAdded, toBeAddedIndexes }).toEqual({
      toBeCreated: [],
      toBeAdded: [],
      toBeAddedIndexes: [],
    });
  } finally {
    await pool.end();
  }
});
