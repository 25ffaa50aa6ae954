import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.js';

/**
 * Listens on a channel of PostgreSQL, on a connection of its own. Invariants:
 * - a connection that is lost is replaced, for as long as the listener is open;
 * - a server that vanishes without closing the connection is noticed: the connection is tried every ten seconds;
 * - what was sent while there was no connection is lost, so `onListening` has to look for it.
 *
 * `LISTEN` belongs to a session. Behind a pooler in transaction mode it has no effect, and nothing arrives: the address
 * is `DATABASE_DIRECT_URL`.
 */
export interface Listener {
  readonly close: () => Promise<void>;
}

export interface ListenerEvents {
  readonly onMessage: (payload: string) => void;
  /** Called when messages begin to arrive. */
  readonly onListening: () => void;
  /** Called when none arrive any more: once for each time without a connection. */
  readonly onLost: (error: unknown) => void;
}

/** Tests shorten them. */
export interface ListenerTimes {
  readonly triedEveryMs: number;
  /** How long connecting and each try may take. */
  readonly answerWithinMs: number;
  /** The pause between two attempts to connect: doubled after each, up to the maximum. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
}

const defaultTimes: ListenerTimes = {
  triedEveryMs: 10_000,
  answerWithinMs: 5_000,
  retryMinMs: 100,
  retryMaxMs: 5_000,
};

/** A session that was not tried for this many times belongs to a process that has vanished. The server ends it. */
const missedTriesMax = 6;

/** Connects in the background, so that a process can start before its database. */
export function listen(
  { databaseUrl, channel, times = defaultTimes }: Address,
  events: ListenerEvents,
): Listener {
  const closing = new AbortController();
  const ended = keepListening({ databaseUrl, channel, times }, events, closing.signal);
  return {
    close: () => {
      closing.abort();
      return ended;
    },
  };
}

/**
 * Whether a notification that `db` sends reaches a listener at the address. The listener does nothing meanwhile: between
 * two statements it has no session behind a pooler in transaction mode, however few others use the pooler.
 */
export function isHeard(db: Db, databaseUrl: string, withinMs: number): Promise<boolean> {
  const channel = 'council_heard';
  return new Promise<boolean>((resolve, reject) => {
    const end = (heard: boolean) => {
      clearTimeout(timer);
      listener.close().then(() => resolve(heard), reject);
    };
    const timer = setTimeout(end, withinMs, false);
    const listener = listen(
      { databaseUrl, channel },
      {
        onMessage: () => end(true),
        onListening: () => void sql`select pg_notify(${channel}, '')`.execute(db).catch(reject),
        onLost: () => end(false),
      },
    );
  });
}

interface Address {
  readonly databaseUrl: string;
  /** An SQL identifier. */
  readonly channel: string;
  readonly times?: ListenerTimes;
}

async function keepListening(
  address: Required<Address>,
  events: ListenerEvents,
  closing: AbortSignal,
): Promise<void> {
  const { retryMinMs, retryMaxMs } = address.times;
  let retryMs = retryMinMs;
  let isLost = false;
  const onListening = () => {
    retryMs = retryMinMs;
    isLost = false;
    events.onListening();
  };
  while (!closing.aborted) {
    const error = await listenOnce(address, { ...events, onListening }, closing);
    if (closing.aborted) return;
    if (!isLost) events.onLost(error);
    isLost = true;
    await pause(retryMs, null, { signal: closing }).catch(() => undefined);
    retryMs = Math.min(2 * retryMs, retryMaxMs);
  }
}

/** Listens until the connection is lost or the listener closes. @returns why it ended */
async function listenOnce(
  { databaseUrl, channel, times }: Required<Address>,
  { onMessage, onListening }: Pick<ListenerEvents, 'onMessage' | 'onListening'>,
  closing: AbortSignal,
): Promise<unknown> {
  const socket = new Socket();
  const client = newClient(databaseUrl, socket, times);
  const ended = new AbortController();
  const end = (error?: Error) => ended.abort(error);
  client.on('error', end);
  client.on('end', end);
  client.on('notification', ({ payload }) => onMessage(payload ?? ''));
  const stopped = AbortSignal.any([closing, ended.signal]);
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onListening();
    for (;;) {
      await pause(times.triedEveryMs, null, { signal: stopped });
      await client.query('select 1');
    }
  } catch (error) {
    return ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    // Not awaited: a server that has vanished never confirms the end.
    client.end().catch(() => undefined);
    socket.destroy();
  }
}

/** The limits of the pool's connections on statements and idle sessions would end it, so it has none. */
function newClient(databaseUrl: string, socket: Socket, { triedEveryMs, answerWithinMs }: ListenerTimes) {
  return new pg.Client({
    connectionString: databaseUrl,
    stream: () => socket,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    application_name: 'council listener',
    options: `-c statement_timeout=0 -c idle_session_timeout=${missedTriesMax * triedEveryMs}`,
  });
}
