import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { connect, type Db, migrationLimits } from './database.js';
import { type Migration, migrations } from './migrations/index.js';
import { grantToService, type RoleState, readRoleState } from './service-role.js';

/**
 * Applies pending migrations, beside a service that reads and writes. Invariants:
 * - one process migrates at a time; it holds an advisory lock on its one session, and others wait;
 * - a migration runs in a transaction, together with its row in `kysely_migration` and the grants that its tables need,
 *   or, if it is `online`, without one and as often as it takes: a process that was killed is continued by the next;
 * - a statement that waits for a lock makes others wait behind it, so it gives up soon and is tried again.
 *
 * Kysely's own migrator has one transaction for all pending migrations, or none.
 * @returns the names of the migrations that ran
 * @throws MigrationFailed that names the migration; those before it have run
 */
export async function migrate(
  databaseUrl: string,
  all: Readonly<Record<string, Migration>> = migrations,
): Promise<readonly string[]> {
  const { db, close } = connect(databaseUrl, () => undefined, migrationLimits);
  try {
    return await db.connection().execute(async session => {
      await waitForTurn(session);
      const pending = await pendingMigrations(session, all);
      for (const name of pending) await applyNamed(session, name, all[name]);
      await session.transaction().execute(grantToService);
      return pending;
    });
  } finally {
    await close();
  }
}

/** A migration that failed, with PostgreSQL's reason. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof pg.DatabaseError ? ` (${cause.code})` : '';
    super(`the migration ${name} failed: ${reason}${code}`, { cause });
    this.name = 'MigrationFailed';
  }
}

/** The key of Kysely's migrator, so that earlier releases and this one exclude each other. */
const turnLock = sql.lit('3853314791062309107');
const turnPollMs = 200;

/**
 * Asks again and again instead of waiting in the server: a session that waits there has a snapshot, for whose end
 * `create index concurrently` of the other session would wait, each for the other.
 */
async function waitForTurn(session: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ ours: boolean }>`
      select pg_try_advisory_lock(${turnLock}::bigint) as ours`.execute(session);
    if (rows[0]?.ours === true) return;
    await pause(turnPollMs);
  }
}

/** With the wait for a lock a quarter of an hour in all, longer than an audit reads a table. */
const lockTriesMax = 225;
const lockPauseMs = 2_000;
/** A lock was not free in time, or this session was chosen to end a deadlock. */
const lockFailures: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

async function applyNamed(session: Db, name: string, migration: Migration | undefined): Promise<void> {
  if (migration === undefined) throw new Error(`there is no migration ${name}`);
  for (let tries = 1; ; tries++) {
    try {
      return await apply(session, name, migration);
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && lockFailures.has(error.code);
      if (!isLocked || tries === lockTriesMax) throw new MigrationFailed(name, error);
      await pause(lockPauseMs);
    }
  }
}

async function apply(session: Db, name: string, { up, online = false }: Migration): Promise<void> {
  if (online) {
    await up(session);
    return note(session, name);
  }
  await session.transaction().execute(async tx => {
    await up(tx);
    await note(tx, name);
    // With the table: the triggers of this migration may already write to it for the version that is still running.
    await grantToService(tx);
  });
}

/** In the table and with the time format of Kysely's migrator, by which earlier releases know what has run. */
async function note(db: Db, name: string): Promise<void> {
  await sql`create table if not exists kysely_migration (
    name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  await sql`insert into kysely_migration (name, timestamp)
    values (${name}, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`.execute(db);
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

async function pendingMigrations(db: Db, all: object = migrations): Promise<string[]> {
  const executed = new Set(await executedMigrations(db));
  return Object.keys(all).filter(name => !executed.has(name));
}

async function executedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    exists: boolean;
  }>`select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (rows[0]?.exists !== true) return [];
  const executed = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return executed.rows.map(({ name }) => name);
}
