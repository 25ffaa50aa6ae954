import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type pg from 'pg';
import { openAccount } from '../../../db/accounts/accounts.js';
import type { Db } from '../../../db/database.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { saveEvent } from '../../../db/reports/events.js';
import { event, market } from '../../council/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';
import { useUpGrants } from '../../support/service/use-up-grants.js';
import { reconcile } from './reconcile.js';

/** The default time of the tests in this folder. */
export const noon = new Date('2031-03-05T12:00:00Z');
export const today = '2031-03-05';

export function later({ hours = 0, minutes = 0, seconds = 0, ms = 0 }, from = noon): Date {
  return new Date(from.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms);
}

/** The database of one test file. After the file its books are audited. */
export interface TestWorld {
  readonly db: Db;
  /** Connections of the owner of the tables. */
  readonly pool: pg.Pool;
  readonly url: string;
  readonly ownerUrl: string;
  /** Runs one statement as the owner of the tables, whom their triggers bind as well. */
  sql(statement: string, values?: readonly unknown[]): Promise<any[]>;
  /** Runs several statements in one transaction and commits it. */
  together(work: (client: pg.ClientBase) => Promise<unknown>): Promise<void>;
  /**
   * @returns the id of a new account with that many purchased credits, and by default without a weekly grant.
   */
  openAccount(credits?: number, has?: { weeklyGrant?: boolean }): Promise<string>;
  /** @returns the id of a new event. */
  openEvent(): Promise<string>;
}

export function useTestWorld(): TestWorld {
  let opened: TestDatabase | undefined;
  const database = (): TestDatabase => {
    if (opened === undefined) throw new Error('the test database is not open');
    return opened;
  };
  beforeAll(async () => {
    opened = await createTestDatabase();
  });
  afterAll(async () => {
    const faults = await reconcile(database().db);
    await database().drop();
    expect(faults).toEqual([]);
  });
  return {
    get db() {
      return database().db;
    },
    get pool() {
      return database().pool;
    },
    get url() {
      return database().url;
    },
    get ownerUrl() {
      return database().ownerUrl;
    },
    sql: async (statement, values = []) => (await database().pool.query(statement, [...values])).rows,
    together: work => inTransaction(database().pool, work),
    openAccount: (credits, has) => newAccount(database().db, credits ?? 0, has?.weeklyGrant ?? false),
    openEvent: () => newEvent(database().db),
  };
}

async function inTransaction(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<unknown>) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

export async function newAccount(db: Db, credits: number, weeklyGrant: boolean): Promise<string> {
  const { id } = await openAccount(db, {
    issuer: 'test',
    subject: randomUUID(),
    email: null,
    newId: randomUUID(),
  });
  if (!weeklyGrant) await useUpGrants(db, id, noon);
  if (credits > 0) {
    const operationId = randomUUID();
    await grantCredits(db, { accountId: id, credits, reason: 'test', operationId, now: noon });
  }
  return id;
}

export async function newEvent(db: Db): Promise<string> {
  const eventId = `event-${randomUUID()}`;
  await saveEvent(db, event([market({ name: 'Rain' })], { eventId }), noon);
  return eventId;
}

/** Starts all calls at once and waits for all of them. */
export function inParallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** Row counts by table name. */
export async function countRows(world: TestWorld): Promise<Record<string, number>> {
  const tables = await world.sql(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [{ rows }] = await world.sql(`select count(*) as rows from public."${name}"`);
      return [name, rows];
    }),
  );
  return Object.fromEntries(counts);
}
