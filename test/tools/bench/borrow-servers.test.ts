import { afterAll, describe, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { migrate } from '../../../db/migrate.js';
import { isNotFound } from '../../../platform/temporal/grpc-status.js';
import { borrowServers } from '../../../tools/bench/services/borrow-servers.js';
import { ServersRefused } from '../../../tools/bench/services/read-servers.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/service/test-database.js';
import { testManifest } from '../../support/service/test-manifest.js';

const temporalAddress = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const connection = await Connection.connect({ address: temporalAddress });
const [migrated, empty] = [await createTestDatabase(), await createEmptyDatabase()];
afterAll(async () => {
  await Promise.all([migrated.drop(), empty.drop(), connection.close()]);
});

const borrow = (databaseUrl: string) => borrowServers({ databaseUrl, temporalAddress }, testManifest());

/** Everything that is in a schema of the database. */
const contentsOf = async ({ pool }: TestDatabase) => {
  const { rows } = await pool.query<{ name: string }>(`
    select pg_describe_object(classid, objid, 0) as name from pg_depend
    where refclassid = 'pg_namespace'::regclass and refobjid in (
      select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    order by name`);
  return rows.map(({ name }) => name);
};

const plantAccount = `insert into accounts (id, issuer, subject) values (gen_random_uuid(), 'test', 'one')`;

const namespaces = async () => {
  const { namespaces: listed } = await connection.workflowService.listNamespaces({ pageSize: 1_000 });
  return listed.map(({ namespaceInfo }) => namespaceInfo?.name ?? '');
};

describe('servers that the bench borrows', () => {
  test('are refused with a database that somebody has used, and nothing is written', async () => {
    await migrated.pool.query(plantAccount);
    const [before, known] = [await contentsOf(migrated), await namespaces()];
    await expect(borrow(migrated.ownerUrl)).rejects.toThrow(ServersRefused);
    await expect(borrow(migrated.ownerUrl)).rejects.toThrow('is not empty');
    expect(await contentsOf(migrated)).toEqual(before);
    expect((await migrated.pool.query('select from accounts')).rowCount).toBe(1);
    await migrated.pool.query('delete from accounts');
    expect((await namespaces()).filter(name => name.startsWith('bench-') && !known.includes(name))).toEqual(
      [],
    );
  });

  test('are refused with a role that cannot migrate', async () => {
    await expect(borrow(empty.url)).rejects.toThrow('the owner of the database');
  });

  test('are refused if a single table of somebody else is in the database', async () => {
    await empty.pool.query('create table notes (text text)');
    await expect(borrow(empty.ownerUrl)).rejects.toThrow('is not empty');
    await empty.pool.query('drop table notes');
  });

  test('are refused if a table of somebody else is beside those of a migration', async () => {
    await migrated.pool.query(`create table notes as select 'mine' as text`);
    await expect(borrow(migrated.ownerUrl)).rejects.toThrow('is not empty');
    await migrated.pool.query('drop table notes');
  });

  test('are given back as they were: a database that was only migrated', async () => {
    const before = await contentsOf(migrated);
    const servers = await borrow(migrated.ownerUrl);
    await migrated.pool.query(plantAccount);
    await servers.end();
    expect(await contentsOf(migrated)).toEqual(before);
    expect((await migrated.pool.query('select from accounts')).rowCount).toBe(0);
  });

  test('are given back as they were: an empty database, twice in a row', async () => {
    for (let times = 0; times < 2; times += 1) {
      const servers = await borrow(empty.ownerUrl);
      const { namespace } = servers;
      expect(namespace).toMatch(/^bench-/);
      await migrate(servers.ownerDatabaseUrl);
      expect((await contentsOf(empty)).length).toBeGreaterThan(0);
      await servers.end();
      expect(await contentsOf(empty)).toEqual([]);
      const lookup = connection.workflowService.describeNamespace({ namespace });
      expect(
        await lookup.then(
          () => false,
          (error: unknown) => isNotFound(error),
        ),
      ).toBe(true);
    }
  });
});
