import { types } from 'node:util';
import { connect, type Db, isDatabaseUnavailable } from '../../db/database.js';
import { MigrationFailed, migrate } from '../../db/migrate.js';
import { Failure } from '../terminal/failure.js';

/**
 * Runs `use` with the database, and closes the connections.
 * @throws Failure that names the database when it is unreachable, rejects the user or is not migrated
 */
export function withDatabase<Result>(url: string, use: (db: Db) => Promise<Result>): Promise<Result> {
  return explained(url, async () => {
    const { db, close } = connect(url, () => undefined);
    try {
      return await use(db);
    } finally {
      await close();
    }
  });
}

/**
 * Applies pending migrations. @returns their names
 * @throws Failure that names the database, and the migration that failed
 */
export function migrateDatabase(ownerUrl: string): Promise<readonly string[]> {
  return explained(ownerUrl, () => migrate(ownerUrl));
}

async function explained<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const explanation = explainDatabaseError(error, url);
    if (explanation === null) throw error;
    throw new Failure(explanation.detail, { next: explanation.next, cause: error });
  }
}

export interface Explanation {
  readonly detail: string;
  readonly next: string;
}

/**
 * Why a database could not be used; null for an error that has nothing to do with the database.
 * @param url shown without its password
 */
function explainDatabaseError(error: unknown, url: string): Explanation | null {
  const place = placeOf(url);
  if (error instanceof MigrationFailed) {
    return { detail: `At ${place}, ${error.message}.`, next: adviceOnMigration(codeOf(error.cause)) };
  }
  const code = codeOf(error);
  const known = byCode[code];
  if (known !== undefined) return { detail: `${place} ${known.detail}.`, next: known.next };
  if (!isDatabaseUnavailable(error)) return null;
  return {
    detail: `The database at ${place} cannot be reached (${code === '' ? reasonOf(error) : code}).`,
    next: 'Start it, or correct DATABASE_URL. Without DATABASE_URL, `npm start` starts its own.',
  };
}

const byCode: Readonly<Record<string, Explanation>> = {
  '28P01': { detail: 'does not accept the password', next: 'Correct user and password in DATABASE_URL.' },
  '28000': {
    detail: 'does not accept this user',
    next: 'Correct the user in DATABASE_URL, or pg_hba.conf there.',
  },
  '3D000': {
    detail: 'does not exist on that server',
    next: 'Create it (`createdb`) and run `npm run migrate`, or correct DATABASE_URL.',
  },
  '42501': {
    detail: 'does not permit this to the user of DATABASE_URL',
    next: 'Run `npm run migrate` with DATABASE_URL of the owner of the tables, who migrates and grants.',
  },
  '42P01': { detail: 'lacks a table', next: 'Run `npm run migrate`.' },
  '42703': { detail: 'lacks a column', next: 'Run `npm run migrate`.' },
};

function adviceOnMigration(code: string): string {
  const ownerNeeded = code === '42501' ? byCode[code]?.next : undefined;
  return (
    ownerNeeded ??
    'Remove the cause and migrate again (`npm run migrate`, or `npm start`): it goes on with this migration.'
  );
}

function reasonOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : 'no reason given';
}

/** Host, port and name of a database: the parts of its URL that messages may show. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? '5432' : port}${pathname}`;
}

/** The first code, if a host name with several addresses has one per address. */
function codeOf(error: unknown): string {
  if (!types.isNativeError(error)) return '';
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
