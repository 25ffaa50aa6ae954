import { afterEach, beforeAll } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { type BusyBooks, fillBooks } from './busy-books.js';
import { noon, type TestWorld } from './test-world.js';

/** Books with one row of every kind, in which a test plants faults. They are restored after each test. */
export interface PlantedBooks {
  readonly is: BusyBooks;
  /** Makes changes that the database's triggers and constraints would reject. */
  plant(...statements: string[]): Promise<void>;
  drift(now?: Date): Promise<readonly string[]>;
  everything(): Promise<unknown>;
}

const tables = [
  'reports',
  'ledger_accounts',
  'ledger_transfers',
  'ledger_entries',
  'report_purchases',
  'weekly_grants',
  'usage_outbox',
  'checkouts',
];

export function usePlantedBooks(world: TestWorld): PlantedBooks {
  let books: BusyBooks | undefined;
  beforeAll(async () => {
    books = await fillBooks(world);
    // Tables are restored one by one, so foreign keys must not stop that.
    const foreignKeys = await world.sql(
      `select conrelid::regclass as of, conname as name from pg_constraint
       where contype = 'f' and connamespace = 'public'::regnamespace`,
    );
    await behindTheGuards(world, [
      'create schema saved',
      ...foreignKeys.map(({ of, name }) => `alter table ${of} drop constraint ${name}`),
      ...tables.map(table => `create table saved.${table} as select * from ${table}`),
    ]);
  });
  afterEach(() =>
    behindTheGuards(
      world,
      tables.flatMap(table => [
        `delete from ${table}`,
        `insert into ${table} overriding system value select * from saved.${table}`,
      ]),
    ),
  );
  return {
    get is() {
      if (books === undefined) throw new Error('the books are not filled');
      return books;
    },
    plant: (...statements) => behindTheGuards(world, statements),
    drift: async (now = noon) => (await auditBooks(world.db, now)).drift,
    everything: () =>
      Promise.all(
        tables.map(table =>
          world.sql(`select md5(string_agg(t::text, ' ' order by t::text)) from ${table} as t`),
        ),
      ),
  };
}

/** Runs statements with triggers disabled, as the tables' owner can. This is what the audit must detect. */
async function behindTheGuards(world: TestWorld, statements: readonly string[]): Promise<void> {
  await world.together(async client => {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
    for (const statement of statements) await client.query(statement);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  });
}
