import { afterEach, beforeAll, expect } from '@jest/globals';
import { auditBooks, type BookAudit } from '../../../db/audit/audit-books.js';
import type { AuditHorizon } from '../../../db/audit/audit-horizon.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { until } from '../../support/until.js';
import { type BusyBooks, fillBooks } from './busy-books.js';
import { noon, type TestWorld } from './test-world.js';

/** Books with one row of every kind, in which a test plants faults. They are restored after each test. */
export interface PlantedBooks {
  readonly is: BusyBooks;
  /** Makes changes that the database's triggers and constraints would reject. */
  plant(...statements: string[]): Promise<void>;
  /** The drift that an audit of all rows finds. An audit of everything written since the first row finds the same. */
  drift(now?: Date): Promise<readonly string[]>;
  /** Compares what was planted only. */
  changes(): Promise<BookAudit>;
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
  'provider_calls',
  'house_spend',
];

/** Those of which a row can be written more than once. */
const tablesWithWriter = ['reports', 'report_purchases', 'weekly_grants', 'usage_outbox', 'checkouts'];

export function usePlantedBooks(world: TestWorld): PlantedBooks {
  let books: BusyBooks | undefined;
  let [beforeFirst, afterLast]: [AuditHorizon | null, AuditHorizon | null] = [null, null];
  beforeAll(async () => {
    beforeFirst = (await auditBooks(world.db, noon)).horizon;
    books = await fillBooks(world);
    await sealRecord(world.db);
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
    afterLast = await horizonAfterAll(world);
  });
  afterEach(() =>
    behindTheGuards(world, [
      ...tablesWithWriter.map(table => `alter table ${table} disable trigger writer_is_kept`),
      ...tables.flatMap(table => [
        `delete from ${table}`,
        `insert into ${table} overriding system value select * from saved.${table}`,
      ]),
    ]),
  );
  return {
    get is() {
      if (books === undefined) throw new Error('the books are not filled');
      return books;
    },
    plant: (...statements) => behindTheGuards(world, statements),
    drift: async (now = noon) => {
      const { drift } = await auditBooks(world.db, now);
      const changes = await auditBooks(world.db, now, beforeFirst);
      expect(changes).toMatchObject({ drift: drift.filter(isOfCustomer), scope: 'changes' });
      return drift;
    },
    changes: () => auditBooks(world.db, noon, afterLast),
    everything: () =>
      Promise.all(
        tables.map(table =>
          world.sql(`select md5(string_agg(t::text, ' ' order by t::text)) from ${table} as t`),
        ),
      ),
  };
}

/** Later than every row: an open transaction of another database on the server holds the horizon back. */
export async function horizonAfterAll(world: TestWorld): Promise<AuditHorizon> {
  const written = tablesWithWriter.map(table => `select written_by from ${table}`).join(' union all ');
  const [{ last }] = await world.sql(`select max(written_by)::text as last from (${written}) as rows`);
  return until(
    'no transaction of the books is open',
    async () => (await auditBooks(world.db, noon)).horizon,
    ({ writtenBefore }) => BigInt(writtenBefore) > BigInt(last),
  );
}

/** The balances of the house, in the first two ledger accounts, are compared by an audit of all rows only. */
const isOfCustomer = (fault: string) => !/^account [12] holds/.test(fault);

/**
 * Runs statements with the guards disabled, as the tables' owner can. This is what the audit must detect. Rows still
 * keep who wrote them, as if the service had.
 */
async function behindTheGuards(world: TestWorld, statements: readonly string[]): Promise<void> {
  await world.together(async client => {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
    for (const table of tablesWithWriter) {
      await client.query(`alter table ${table} enable trigger writer_is_kept`);
    }
    for (const statement of statements) await client.query(statement);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  });
}
