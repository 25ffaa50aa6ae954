import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import type { Db } from '../../db/database.js';
import { isMigrated } from '../../db/migrate.js';
import { readRecordHead } from '../../db/track-record/record.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import { isNotFound } from '../../platform/temporal/grpc-status.js';
import { createApp } from '../app.js';
import type { ApiContext, Readiness, ReadRecordHead } from '../context.js';
import { createHttpServer, type RequestTimes, requestTimes } from './http-server.js';

export interface Served {
  readonly url: string;
  /** Gives requests in progress some time to finish. */
  readonly close: () => Promise<void>;
}

/** `Prefer: wait` can hold a connection for 50 s; a process that shuts down does not wait that long. */
const drainMs = 5_000;

/** Serves the API. @param port 0 selects a free port */
export async function serve(
  context: Omit<ApiContext, 'closing'>,
  host: string,
  port: number,
  times: RequestTimes = requestTimes,
): Promise<Served> {
  const closing = new AbortController();
  const app = createApp({ ...context, closing: closing.signal });
  const server = createHttpServer(app, context, times);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${portOf(server.address())}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        closing.abort();
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), drainMs).unref();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the API is not listening on a port');
  return address.port;
}

const probeTimeoutMs = 2_000;
const readinessKeptMs = 1_000;

/**
 * Checks that the database is reachable and migrated, and that Temporal is reachable and has the namespace. At most once
 * a second, because anybody may ask.
 */
export function readinessOf(db: Db, client: Client): () => Promise<Readiness> {
  return keptFor(readinessKeptMs, async () => {
    const [database, temporal] = await Promise.all([
      faultOf(async () => ((await withTimeout(probeTimeoutMs, isMigrated(db))) ? null : 'not migrated')),
      faultOf(() => namespaceFault(client)),
    ]);
    return { database, temporal };
  });
}

/** A witness for many answers, none of which waits for a query of its own. */
export function recordHeadOf(db: Db): ReadRecordHead {
  return keptFor(recordHeadKeptMs, async () => {
    const { entries, head } = await readRecordHead(db).catch(() => noEntries);
    return head === null ? null : { seq: entries, hash: head };
  });
}

const recordHeadKeptMs = 1_000;
const noEntries = { entries: 0, head: null };

/** Answers with the check that runs, or with the last one if it ended less than so long ago. */
function keptFor<Answer>(ms: number, check: () => Promise<Answer>): () => Promise<Answer> {
  let last: Promise<Answer> | null = null;
  return () => {
    last ??= check().finally(() => {
      setTimeout(() => {
        last = null;
      }, ms).unref();
    });
    return last;
  };
}

/** `describeNamespace` reads Temporal's own database, so its loss shows here too. */
async function namespaceFault(client: Client): Promise<string | null> {
  const { namespace } = client.options;
  try {
    await client.withDeadline(Date.now() + probeTimeoutMs, () =>
      client.workflowService.describeNamespace({ namespace }),
    );
    return null;
  } catch (error) {
    if (isNotFound(error)) return 'the namespace does not exist';
    throw error;
  }
}

/** Hides the error texts of libraries, which can contain hosts and users. */
async function faultOf(check: () => Promise<string | null>): Promise<string | null> {
  try {
    return await check();
  } catch {
    return 'cannot be reached';
  }
}
