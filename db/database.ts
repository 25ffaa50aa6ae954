import { types } from 'node:util';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { withPreparedStatements } from './prepared-statements.js';
import type { Database } from './schema.js';

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

export interface Connections {
  readonly db: Db;
  /** For libraries that bring their own SQL (the built-in accounts). */
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

const poolConnectionsMax = 20;
/** For a new connection, and for a turn with one that is taken. */
const defaultConnectTimeoutMs = 3_000;
/** No statement of this service is long; one that hangs must not outlive the answer it was for. */
const statementTimeoutMs = 5_000;

/**
 * Opens nothing until the first query, so that a process can start before its database.
 * @param onIdleError a connection that breaks while nobody uses it; unheard it would end the process.
 * @param databaseUrl with `prepared_statements=true` among its parameters where every connection is the service's own
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
  // One that breaks in use fails its query; unheard, the connection's own word of it would end the process too.
  pool.on('connect', connection => connection.on('error', () => undefined));
  const asked = mayPrepare(databaseUrl) ? withPreparedStatements(pool) : pool;
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: asked }) });
  return { db, pool, close: () => db.destroy() };
}

/**
 * `?prepared_statements=true` at the end of the address. Not by default: behind a connection pooler that hands a connection to
 * another client after each transaction, a name is known to one connection and asked of another.
 */
function mayPrepare(databaseUrl: string): boolean {
  return new URL(databaseUrl).searchParams.get('prepared_statements') === 'true';
}

const int8Oid = 20;
const dateOid = 1082;

/** Ids and credits are far below 2^53, so they may be numbers; a date stays the day it is, in no time zone. */
function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === int8Oid) return toSafeInteger;
  if (oid === dateOid) return (day: string) => day;
  return pg.types.getTypeParser(oid, format);
}

function toSafeInteger(digits: string): number {
  const value = Number(digits);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer of the database is beyond 2^53');
  return value;
}

/** SQLSTATE classes and codes that speak of the server or the connection, not of the statement; 57014 ends one that took too long. */
const awayCode = /^(08|57P|57014|53)|^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/;

/** True when the database could not be reached or gave up, so that the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  // Not `instanceof Error`: errors of Node's own sockets come from another realm where code runs in a `vm` context.
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseAway);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (awayCode.test(code)) return true;
  return (
    !(error instanceof pg.DatabaseError) &&
    /connection (terminated|timeout)|timeout exceeded|not queryable/i.test(error.message)
  );
}
