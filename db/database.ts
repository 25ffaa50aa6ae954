import { types } from 'node:util';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from './schema/schema.js';

/**
 * The connection to PostgreSQL. Invariants:
 * - nothing connects before the first query, so a process can start before its database;
 * - a broken connection fails its own query and never ends the process;
 * - a query fails after 5 seconds, and waits at most 3 seconds for a connection.
 */
export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface Connections {
  readonly db: Db;
  /** For libraries that bring their own SQL (the built-in accounts). */
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

const poolConnectionsMax = 20;
/** Applies to opening a connection and to waiting for a free one. */
const defaultConnectTimeoutMs = 3_000;
const statementTimeoutMs = 5_000;

/**
 * @param onIdleError called when an idle connection breaks; without a listener the error would end the
 * process.
 * @param options.connectTimeoutMs how long a query waits for a connection
 */
export function connect(
  databaseUrl: string,
  onIdleError: (error: Error) => void,
  { connectTimeoutMs = defaultConnectTimeoutMs }: { readonly connectTimeoutMs?: number } = {},
): Connections {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolConnectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    types: { getTypeParser: parserOf },
  });
  pool.on('error', onIdleError);
  // A connection that breaks in use fails its query and also emits an error, which would end the process.
  pool.on('connect', connection => connection.on('error', () => undefined));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

const int8Oid = 20;
const dateOid = 1082;

/**
 * Ids and credits stay far below 2^53, so int8 is a number. A date stays `YYYY-MM-DD`, without a time zone.
 */
function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === int8Oid) return toSafeInteger;
  if (oid === dateOid) return (day: string) => day;
  return pg.types.getTypeParser(oid, format);
}

function toSafeInteger(digits: string): number {
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer from the database exceeds 2^53');
  return value;
}

/** SQLSTATE and Node codes of a server or connection failure. 57014 is the statement timeout. */
const unavailableCode = /^(08|57P|57014|53)|^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/;

/** True when the database was unreachable or gave up, so the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Not `instanceof Error`: where code runs in a `vm` context, errors of Node's sockets come from another
  // realm.
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseUnavailable);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (unavailableCode.test(code)) return true;
  return (
    !(error instanceof pg.DatabaseError) &&
    /connection (terminated|timeout)|timeout exceeded|not queryable/i.test(error.message)
  );
}
