import { Migrator, sql } from 'kysely';
import type { Db } from './database.js';
import { migrations } from './migrations/index.js';
import { grantToService, type RoleState, readRoleState } from './service-role.js';

/**
 * Applies pending migrations, one process at a time (the migrator holds an advisory lock), and then grants the service's
 * role what it needs.
 * @returns the names of the migrations that ran.
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) throw error;
  await grantToService(db);
  return results.map(result => result.migrationName);
}

/** False while a migration is pending: the API and the worker are not ready before. */
export async function isMigrated(db: Db): Promise<boolean> {
  return (await pendingMigrations(db)).length === 0;
}

/** What `council doctor` checks. */
export interface ServerState {
  readonly now: Date;
  readonly majorVersion: number;
  /** Migrations of this release that have not run. */
  readonly pending: readonly string[];
  /** Migrations that ran and that this release does not know. */
  readonly unknown: readonly string[];
  readonly role: RoleState;
}

/** Read-only; also works on a database that was never migrated. */
export async function readServerState(db: Db): Promise<ServerState> {
  const { rows } = await sql<{ now: Date; version: string }>`
    select clock_timestamp() as now, current_setting('server_version_num') as version
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no row for its time');
  return {
    now: row.now,
    majorVersion: Math.floor(Number(row.version) / 10_000),
    pending: await pendingMigrations(db),
    unknown: (await executedMigrations(db)).filter(name => !(name in migrations)),
    role: await readRoleState(db),
  };
}

async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await migratorOf(db).getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Reads the migrator's own table, because the migrator omits migrations it does not know. */
async function executedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (rows[0]?.exists !== true) return [];
  const executed = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return executed.rows.map(({ name }) => name);
}

function migratorOf(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
}
