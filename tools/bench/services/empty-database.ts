import { sql } from 'kysely';
import { connect, type Db, migrationLimits } from '../../../db/database.js';
import { ServersRefused } from './read-servers.js';

/**
 * Refuses a database that holds anything: a measurement needs known contents, and `clearDatabase` removes everything
 * afterwards. Writes nothing.
 * @throws ServersRefused
 */
export async function demandEmptyDatabase(ownerUrl: string): Promise<void> {
  const found = await onDatabase(ownerUrl, readState);
  if (!found.owns) {
    throw new ServersRefused(
      `DATABASE_URL must have the role of the owner of the database ${found.name}, because the bench migrates it; ${found.role} is not the owner.`,
    );
  }
  if (found.used) {
    throw new ServersRefused(
      `The database ${found.name} of DATABASE_URL is not empty. The bench needs a new one, and removes from it only what it has made: create database …`,
    );
  }
}

/** Removes everything from a database that was empty before the measurement. Roles stay. */
export async function clearDatabase(ownerUrl: string): Promise<void> {
  await onDatabase(ownerUrl, db => sql.raw(`do $$ ${dropAll} $$`).execute(db));
}

interface State {
  readonly name: string;
  readonly role: string;
  readonly owns: boolean;
  readonly used: boolean;
}

const ownSchemas = `nspname !~ '^pg_' and nspname <> 'information_schema'`;

/** Everything in a schema depends on it: tables, functions, extensions, default privileges. */
async function readState(db: Db): Promise<State> {
  const { rows } = await sql<State>`
    select datname as name, current_user as role, pg_has_role(datdba, 'usage') as owns,
      exists (select from pg_namespace where ${sql.raw(ownSchemas)} and nspname <> 'public')
        or exists (
          select from pg_depend
          where refclassid = 'pg_namespace'::regclass and refobjid = to_regnamespace('public')) as used
    from pg_database where datname = current_database()`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no row for its state');
  return row;
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
