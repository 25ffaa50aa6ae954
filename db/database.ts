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
