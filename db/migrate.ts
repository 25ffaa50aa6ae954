import { Migrator } from 'kysely';
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
