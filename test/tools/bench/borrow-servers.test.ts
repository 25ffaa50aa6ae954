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
const [used, empty] = [await createTestDatabase(), await createEmptyDatabase()];
afterAll(async () => {
  await Promise.all([used.drop(), empty.drop(), connection.close()]);
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

const namespaces = async () => {
  const { namespaces: listed } = await connection.workflowService.listNamespaces({ pageSize: 1_000 });
  return listed.map(({ namespaceInfo }) => namespaceInfo?.name ?? '');
};

describe('servers that the bench borrows', () => {
  test('are refused with a database that is not empty, and nothing is written', async () => {
    const [before, known] = [await contentsOf(used), await namespaces()];
    expect(before.length).toBeGreaterThan(0);
    await expect(borrow(used.ownerUrl)).rejects.toThrow(ServersRefused);
    await expect(borrow(used.ownerUrl)).rejects.toThrow('is not empty');
    expect(await contentsOf(used)).toEqual(before);
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

  test('are given back as they were: twice in a row', async () => {
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
