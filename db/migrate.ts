import { Migrator, sql } from 'kysely';
import type { Db } from './database.js';
import { migrations } from './migrations/index.js';

/**
 * Brings the database to the newest schema, one process at a time (the migrator holds an advisory lock).
 * @returns the names of the migrations that ran, none when there was nothing to do.
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(result => result.migrationName);
}

/** False while a migration has not run here yet: such a database is not ready to be served from. */
export async function isMigrated(db: Db): Promise<boolean> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const known = await migrator.getMigrations();
  return known.every(migration => migration.executedAt !== undefined);
}

/** What the server says of itself, for whoever looks for what is wrong. */
export interface ServerState {
  readonly now: Date;
  readonly majorVersion: number;
  /** Migrations that have not run here yet. */
  readonly pending: readonly string[];
  /** Migrations that ran here and are not known to this release. */
  readonly unknown: readonly string[];
}

/** Reads only; a database that was never migrated is read as well. */
export async function readServerState(db: Db): Promise<ServerState> {
  const { rows } = await sql<{ now: Date; version: string }>`
    select clock_timestamp() as now, current_setting('server_version_num') as version
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not say its time');
  return {
    now: row.now,
    majorVersion: Math.floor(Number(row.version) / 10_000),
    pending: await pendingMigrations(db),
    unknown: (await executedMigrations(db)).filter(name => !(name in migrations)),
  };
}

async function pendingMigrations(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const known = await migrator.getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** The migrator's own table; the migrator itself leaves out what it does not know. */
async function executedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (rows[0]?.there !== true) return [];
  const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return ran.rows.map(({ name }) => name);
}
