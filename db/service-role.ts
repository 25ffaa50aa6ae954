import { type QueryExecutorProvider, sql } from 'kysely';
import type { Db } from './database.js';

/**
 * The role of the service (ADR 45). The owner of the tables migrates; the service reads and writes rows as this role, or
 * as a role that is a member of it. Invariants of the role, which only the owner can lift:
 * - it owns nothing, creates nothing and truncates nothing, so it cannot switch off, drop or evade a trigger;
 * - it cannot update or delete rows of a table whose triggers refuse that;
 * - its temporary objects hide no table from a trigger, because it has none, and triggers would not look there.
 */
const serviceRole = 'council_service';

const schemas = ['public', 'auth'];

/** Trigger functions that refuse every row. A table with one before updates needs no privilege to update. */
const refusals = ['ledger_is_append_only', 'reports_are_kept'];

/**
 * Gives the service's role exactly the privileges that it needs on everything that exists now. Runs after each
 * migration, so that new tables need no grant of their own. Creates the role if it is missing and the caller may; does
 * nothing without the role, or if the caller does not own the schema.
 */
export async function grantToService(tx: QueryExecutorProvider): Promise<void> {
  await sql.raw(createRole).execute(tx);
  if (!(await ownsSchema(tx))) return;
  for (const step of [grantRows, grantSequences, limitSchemas, limitDatabase, pinFunctions]) {
    await sql.raw(`do $$ ${step} $$`).execute(tx);
  }
}

/** The role has no login: a password is the operator's to choose. */
const createRole = `
  do $$ begin
    if to_regrole('${serviceRole}') is null then create role ${serviceRole} nologin; end if;
  exception when insufficient_privilege or duplicate_object or unique_violation then null;
  end $$`;

async function ownsSchema(tx: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(relowner, 'usage') and current_user <> ${serviceRole} as owns
    from pg_class where oid = to_regclass('kysely_migration') and to_regrole(${serviceRole}) is not null
  `.execute(tx);
  return rows[0]?.owns ?? false;
}

const inSchemas = `(select oid from pg_namespace where nspname in ('${schemas.join("', '")}'))`;
const own = (owner: string) => `pg_has_role(${owner}, 'usage')`;

/** Whether a trigger of the table refuses an event of every row: 8 is a deletion, 16 an update. */
const refuses = (event: 8 | 16) => `exists (
  select from pg_trigger where tgrelid = pg_class.oid and tgtype & ${event} > 0 and tgtype & 3 = 3
    and tgenabled = 'O' and tgqual is null and tgattr = ''
    and tgfoid in (select oid from pg_proc where proname in ('${refusals.join("', '")}')))`;

/** Writes only what differs: every session reads the catalogue is read by every session. */
const heldOn = (acl: string) => `(
  select coalesce(string_agg(lower(privilege_type), ', ' order by privilege_type), '')
  from aclexplode(${acl}) where grantee = to_regrole('${serviceRole}'))`;

const grantRows = `
  declare one record;
  begin
    for one in
      select * from (
        select oid::regclass as name, ${heldOn('relacl')} as held,
          case when relname like 'kysely%' then 'select' else concat_ws(', ',
            case when not ${refuses(8)} then 'delete' end, 'insert', 'select',
            case when not ${refuses(16)} then 'update' end) end as needed
        from pg_class
        where relnamespace in ${inSchemas} and relkind in ('r', 'p') and ${own('relowner')}
      ) as tables where held <> needed
    loop
      execute format('revoke all on %s from ${serviceRole}', one.name);
      execute format('grant %s on %s to ${serviceRole}', one.needed, one.name);
    end loop;
  end`;

/** To take a number, as a purchase does for its report, but not to set it back. */
const grantSequences = `
  declare one regclass;
  begin
    for one in select oid from pg_class
      where relnamespace in ${inSchemas} and relkind = 'S' and ${own('relowner')}
        and ${heldOn('relacl')} <> 'usage'
    loop
      execute format('revoke all on sequence %s from ${serviceRole}', one);
      execute format('grant usage on sequence %s to ${serviceRole}', one);
    end loop;
  end`;

/** PostgreSQL before version 15 let everybody create objects in `public`, and an upgrade keeps that. */
const limitSchemas = `
  declare one name;
  begin
    for one in select nspname from pg_namespace where oid in ${inSchemas} and ${own('nspowner')}
    loop
      execute format('revoke create on schema %I from public, ${serviceRole}', one);
      execute format('grant usage on schema %I to ${serviceRole}', one);
    end loop;
  end`;

/**
 * The role creates no temporary objects: a temporary table hides the permanent one of that name, and its own triggers
 * may do what only a trigger may, such as moving a balance.
 */
const limitDatabase = `
  begin
    if (select ${own('datdba')} from pg_database where datname = current_database()) then
      execute format('revoke create, temporary on database %I from public, ${serviceRole}', current_database());
      execute format('grant connect on database %I to ${serviceRole}', current_database());
    end if;
  end`;

/** The owner of a database may not be its tables' owner: triggers look for tables in their own schema first in any case. */
const pinFunctions = `
  declare one regprocedure;
  begin
    for one in select oid from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f' and ${own('proowner')}
        and prolang = (select oid from pg_language where lanname = 'plpgsql')
        and not coalesce(proconfig::text like '%search_path%', false)
    loop
      execute format('alter function %s set search_path = public, pg_temp', one);
    end loop;
  end`;

/** What the role of this connection could do beyond its work. */
export interface RoleState {
  readonly name: string;
  readonly superuser: boolean;
  /** The role owns tables of the service: their owner can switch off triggers. */
  readonly ownsTables: boolean;
  /** Permanent or temporary objects. */
  readonly createsObjects: boolean;
  /** Tables that it may not read: grants are missing. */
  readonly unreadable: readonly string[];
}

/** Read-only; also works on a database that was never migrated. */
export async function readRoleState(db: Db): Promise<RoleState> {
  const { rows } = await sql<RoleState>`
    with namespaces as (select oid from pg_namespace where nspname in (${sql.join(schemas)})),
    tables as (
      select oid::regclass::text as name, pg_has_role(relowner, 'usage') as owned,
        has_schema_privilege(relnamespace, 'usage') and has_table_privilege(oid, 'select') as readable
      from pg_class where relnamespace in (select oid from namespaces) and relkind in ('r', 'p')
    )
    select current_user as name,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      exists (select from tables where owned) as "ownsTables",
      has_database_privilege(current_database(), 'create, temporary')
        or exists (select from namespaces where has_schema_privilege(oid, 'create')) as "createsObjects",
      array(select name from tables where not readable order by name) as unreadable
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no row for its role');
  return row;
}
