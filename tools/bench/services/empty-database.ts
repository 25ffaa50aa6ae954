import { sql } from 'kysely';
import { connect, type Db, migrationLimits } from '../../../db/database.js';
import { ServersRefused } from './read-servers.js';

/**
 * Refuses a database that holds anything but the tables of a migration and what it filled them with: a measurement needs
 * known contents, and `clearDatabase` removes everything afterwards. Writes nothing.
 * @returns whether it is migrated
 * @throws ServersRefused
 */
export async function demandUnusedDatabase(ownerUrl: string): Promise<boolean> {
  const found = await onDatabase(ownerUrl, readState);
  if (!found.owns) {
    throw new ServersRefused(
      `DATABASE_URL must have the role of the owner of the database ${found.name}, because the bench migrates it; ${found.role} is not the owner.`,
    );
  }
  if (found.used) {
    throw new ServersRefused(
      `The database ${found.name} of DATABASE_URL is not empty. The bench needs a new one, because it removes everything from it afterwards.`,
    );
  }
  return found.migrated;
}

/** Removes everything from a database that was unused before the measurement. Roles stay. */
export async function clearDatabase(ownerUrl: string): Promise<void> {
  await onDatabase(ownerUrl, db => sql.raw(`do $$ ${dropAll} $$`).execute(db));
}

interface State {
  readonly name: string;
  readonly role: string;
  readonly owns: boolean;
  readonly used: boolean;
  readonly migrated: boolean;
}

const ownSchemas = `nspname !~ '^pg_' and nspname <> 'information_schema'`;
/** Tables that have rows when nobody has used the service yet. */
const filledByMigrations = ['kysely_migration', 'ledger_accounts', 'estimate_weights', 'weights_activations'];

/** Everything in a schema depends on it: tables, functions, extensions, default privileges. */
async function readState(db: Db): Promise<State> {
  const { rows } = await sql<Omit<State, 'used'> & { readonly holds: boolean }>`
    select datname as name, current_user as role, pg_has_role(datdba, 'usage') as owns,
      to_regclass('public.kysely_migration') is not null as migrated,
      exists (select from pg_namespace where ${sql.raw(ownSchemas)} and nspname <> 'public')
        or exists (
          select from pg_depend
          where refclassid = 'pg_namespace'::regclass and refobjid = to_regnamespace('public')) as holds
    from pg_database where datname = current_database()`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no row for its state');
  const { holds, ...state } = row;
  return { ...state, used: state.owns && (state.migrated ? await isUsed(db) : holds) };
}

/** Whether a migrated database holds a row that no migration wrote, or anything that a migration does not make. */
async function isUsed(db: Db): Promise<boolean> {
  const { rows: tables } = await sql<{ name: string }>`
    select pg_class.oid::regclass::text as name from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace where relkind in ('r', 'p', 'm') and ${sql.raw(ownSchemas)}
  `.execute(db);
  const hasRows = tables
    .filter(({ name }) => !filledByMigrations.includes(name))
    .map(({ name }) => `exists (select from ${name})`);
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from pg_namespace where ${sql.raw(ownSchemas)} and nspname not in ('public', 'auth'))
      or exists (select from pg_extension where extnamespace = to_regnamespace('public'))
      or ${sql.raw(hasRows.join(' or '))} as used`.execute(db);
  return rows[0]?.used ?? true;
}

const dropAll = `
  declare one name;
  begin
    for one in select nspname from pg_namespace where ${ownSchemas} loop
      execute format('drop schema %I cascade', one);
    end loop;
    create schema public authorization pg_database_owner;
    grant usage on schema public to public;
  end`;

async function onDatabase<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const { db, close } = connect(url, () => undefined, migrationLimits);
  try {
    return await work(db);
  } finally {
    await close();
  }
}
