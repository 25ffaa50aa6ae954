import { Socket } from 'node:net';
import { types } from 'node:util';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { preparing } from './prepared-statements.js';
import type { Database } from './schema/schema.js';

/**
 * The connection to PostgreSQL. Invariants:
 * - nothing connects before the first query, so a process can start before its database;
 * - a broken connection fails its own query and never ends the process;
 * - a statement that is sent often is prepared, see `prepared-statements.ts`;
 * - a query fails after 5 seconds, and waits at most 3 seconds for a connection;
 * - a process that stops in the middle of a transaction loses its locks after 5 seconds;
 * - a server that vanishes without closing its connections is noticed after 65 seconds, and so is a process
 *   that vanishes from the server, so that its sessions do not use up `max_connections`.
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
/** For transactions that read whole tables, see `allowLongReads`. */
const longStatementTimeoutMs = 60_000;

/** Limits of a connection. Tests shorten them. */
export interface ConnectionLimits {
  /** How long a query waits for a connection. Applies to opening one and to waiting for a free one. */
  readonly connectTimeoutMs: number;
  /** How long a statement may take; 0 is without a limit. */
  readonly statementMaxMs: number;
  /** How long a statement waits for a lock. Shorter than a statement may take, so that the error names the cause. */
  readonly lockWaitMaxMs: number;
  /** After this time the server ends a session that is idle in a transaction. Its locks would stop all others. */
  readonly idleInTransactionMaxMs: number;
  /**
   * A connection on which nothing arrives or leaves for this time is closed, by both sides. Longer than the longest
   * statement may take, and than the ten seconds after which the pool closes an idle connection itself. 0 is never;
   * then TCP notices a peer that has vanished.
   */
  readonly silenceMaxMs: number;
}

const defaultLimits: ConnectionLimits = {
  connectTimeoutMs: 3_000,
  statementMaxMs: 5_000,
  lockWaitMaxMs: 4_000,
  idleInTransactionMaxMs: 5_000,
  silenceMaxMs: longStatementTimeoutMs + 5_000,
};

/**
 * For migrations: an index on a big table takes as long as it takes. Others wait behind a statement that waits for a
 * lock, so it gives up before they do; but later than the second after which PostgreSQL ends an autovacuum that holds it.
 */
export const migrationLimits: Partial<ConnectionLimits> = {
  statementMaxMs: 0,
  lockWaitMaxMs: 2_000,
  silenceMaxMs: 0,
};

/** After so long without traffic, TCP begins to ask whether the peer is still there. */
const keepAliveSeconds = 60;

/**
 * @param onIdleError called when an idle connection breaks; without a listener the error would end the
 * process.
 */
export function connect(
  databaseUrl: string,
  onIdleError: (error: Error) => void,
  changedLimits: Partial<ConnectionLimits> = {},
): Connections {
  const limits = { ...defaultLimits, ...changedLimits };
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolConnectionsMax,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.statementMaxMs,
    lock_timeout: limits.lockWaitMaxMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMaxMs,
    options:
      `-c idle_session_timeout=${limits.silenceMaxMs} ` +
      `-c tcp_keepalives_idle=${keepAliveSeconds} -c tcp_keepalives_interval=10`,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1_000,
    stream: () => openSocket(limits.silenceMaxMs),
    types: { getTypeParser: parserOf },
  });
  pool.on('error', onIdleError);
  // A connection that breaks in use fails its query and also emits an error, which would end the process.
  pool.on('connect', connection => connection.on('error', () => undefined));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return { db, pool, close: () => db.destroy() };
}

/**
 * A socket that closes when nothing arrives or leaves for a time: TCP alone notices only after minutes that the server
 * has vanished, and would hold the queries and their places in the pool for as long.
 */
function openSocket(silenceMaxMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silenceMaxMs, () => socket.destroy(new Error('connection terminated: no response')));
  return socket;
}

/** Reads one state of the database, whatever is written meanwhile. */
export function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/**
 * Gives a read-only transaction a minute for a statement, and for the computation between two. It holds no lock that
 * another transaction waits for.
 */
export async function allowLongReads(tx: Tx): Promise<void> {
  const ms = String(longStatementTimeoutMs);
  await sql`select set_config('statement_timeout', ${ms}, true),
    set_config('idle_in_transaction_session_timeout', ${ms}, true)`.execute(tx);
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

/**
 * SQLSTATE and Node codes of a server or connection failure. 57014 is the statement timeout, 55P03 that of a lock, and
 * 25P03 that of an idle transaction.
 */
const unavailableCode = /^(08|57P|57014|55P03|25P03|53)|^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/;

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
