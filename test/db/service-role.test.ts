import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type Connections, connect } from '../../db/database.js';
import { grantToService, readRoleState } from '../../db/service-role.js';
import { fillBooks } from './support/busy-books.js';
import { useTestWorld } from './support/test-world.js';

const world = useTestWorld();
let owner: Connections;

beforeAll(async () => {
  await fillBooks(world);
  owner = connect(world.ownerUrl, () => undefined);
});
afterAll(() => owner.close());

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    error => error.code,
  );
const asService = (statement: string) => codeOf(sql.raw(statement).execute(world.db));
const refused = '42501';

/** The code of a statement's failure as the owner. Nothing of it stays. */
async function asOwner(statement: string): Promise<string> {
  const client = await owner.pool.connect();
  try {
    await client.query('begin');
    return await codeOf(client.query(statement));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('a temporary table hides no table from a trigger', async () => {
  const [{ id }] = await world.sql('select min(id) as id from ledger_transfers');
  await expect(
    world.together(async client => {
      await client.query(`create temporary table ledger_transfers on commit drop as
        select ${id}::bigint as id, pg_current_xact_id() as written_by`);
      await client.query(`insert into ledger_entries (transfer_id, ledger_account_id, amount_credits)
        select ${id}, id, 5 from ledger_accounts where id not in
          (select ledger_account_id from ledger_entries where transfer_id = ${id}) limit 1`);
    }),
  ).rejects.toThrow(`transfer ${id} is already written`);
});

describe('the role of the service cannot', () => {
  const ofOwners = [
    'alter table ledger_entries disable trigger user',
    'drop trigger append_only on ledger_entries',
    'drop trigger only_added on record_entries',
    'alter table record_entries drop column hash',
    'alter table accounts add column planted text',
    'drop table grades cascade',
    'create table planted (id int)',
    'create temporary table ledger_transfers (id bigint, written_by xid8)',
    'create table auth.planted (id int)',
    'create schema planted',
    'create function public.planted() returns int language sql as $$ select 1 $$',
    `create or replace function ledger_is_append_only() returns trigger language plpgsql as $$ begin return null; end $$`,
    'alter function ledger_is_append_only() reset all',
    'create rule planted as on insert to ledger_entries do instead nothing',
    'truncate idempotency_keys',
    `delete from kysely_migration where name = '0004-ledger'`,
    `select setval(pg_get_serial_sequence('ledger_transfers', 'id'), 1)`,
  ];
  test.each(ofOwners)('%s', async statement => {
    expect(await asOwner(statement)).toBe('done');
    expect(await asService(statement)).toBe(refused);
  });

  test.each([
    'alter table ledger_entries disable trigger all',
    'set session_replication_role = replica',
    'alter role council_service superuser',
    'alter role council_service createdb',
    'grant council to council_service',
    'set role council',
    'create role planted',
    'create database planted',
    'alter database template1 allow_connections false',
    `copy (select 1) to program 'true'`,
    `select pg_read_file('/etc/passwd')`,
  ])('%s', async statement => {
    expect(await asService(statement)).toBe(refused);
  });

  test.each([
    `update ledger_entries set amount_credits = 1`,
    `update ledger_transfers set reason = 'other'`,
    `update record_entries set payload = '{}'`,
    'delete from record_entries',
    `update grades set state = 'void'`,
    'delete from reports',
    'select id from ledger_entries for update',
  ])('%s, before any trigger looks at it', async statement => {
    expect(await asService(statement)).toBe(refused);
  });
});

/** Tables by what the service may not do with their rows. */
const kept = {
  'insert, select': [
    'estimate_weights',
    'event_rules',
    'grades',
    'ledger_entries',
    'ledger_transfers',
    'record_entries',
    'record_timestamps',
    'resolutions',
    'stage_results',
    'weights_activations',
    'weights_refits',
  ],
  'insert, select, update': [
    'ledger_accounts',
    'payment_findings',
    'report_purchases',
    'reports',
    'usage_outbox',
    'weekly_grants',
  ],
  'delete, insert, select': ['quotes', 'unsealed_entries'],
  select: ['kysely_migration'],
} as const;

async function privileges(): Promise<Record<string, string[]>> {
  const rows = await world.sql(`
    select relname as name, (
      select string_agg(lower(privilege_type), ', ' order by privilege_type)
      from aclexplode(relacl) where grantee = 'council_service'::regrole) as held
    from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)
    order by relname`);
  const byPrivilege: Record<string, string[]> = {};
  for (const { name, held } of rows) byPrivilege[held] = [...(byPrivilege[held] ?? []), name];
  return byPrivilege;
}

describe('the role of the service has', () => {
  test('no privilege to change or delete what is never changed or deleted', async () => {
    const { 'delete, insert, select, update': others = [], ...narrower } = await privileges();
    expect(narrower).toEqual(kept);
    expect(others).toEqual(expect.arrayContaining(['accounts', 'idempotency_keys', 'session', 'user']));
  });

  test('what it needs on tables of later migrations, and again what was taken from it', async () => {
    const before = await privileges();
    await world.sql('create table later_rows (id bigint generated always as identity)');
    await world.sql('create table later_facts (id bigint generated always as identity)');
    await world.sql(`create trigger only_added before update or delete on later_facts
      for each row execute function reports_are_kept()`);
    await world.sql(
      'revoke all on accounts from council_service; grant truncate on reports to council_service',
    );
    expect(await asService('select from later_rows')).toBe(refused);
    try {
      await owner.db.transaction().execute(grantToService);
      expect(await asService('insert into later_rows default values; delete from later_rows')).toBe('done');
      expect(await asService('insert into later_facts default values')).toBe('done');
      expect(await asService('delete from later_facts')).toBe(refused);
    } finally {
      await world.sql('drop table later_rows, later_facts');
    }
    expect(await privileges()).toEqual(before);
  });

  test('nothing that doctor warns of', async () => {
    expect(await readRoleState(world.db)).toEqual({
      name: 'council_service',
      superuser: false,
      ownsTables: false,
      createsObjects: false,
      unreadable: [],
    });
    expect(await readRoleState(owner.db)).toMatchObject({ ownsTables: true, createsObjects: true });
  });
});
