import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import type { Db } from '../../db/database.js';
import { isMigrated } from '../../db/migrate.js';
import { createApp } from '../app.js';
import type { ApiContext, Readiness } from '../context.js';

export interface Served {
  readonly url: string;
  /** Lets requests in flight finish, for a while. */
  readonly close: () => Promise<void>;
}

/** A caller who prefers to wait holds a connection for up to 50 s; a process that ends does not wait that long. */
const drainMs = 5_000;

/** Puts the API on an address. @param port 0 takes a free one. */
export async function serve(context: ApiContext, host: string, port: number): Promise<Served> {
  const server = createServer(createApp(context));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${portOf(server.address())}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), drainMs).unref();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the API listens on no port');
  return address.port;
}

const askWithinMs = 2_000;

/** Asks the database and Temporal whether they are there. */
export function readinessOf(db: Db, client: Client): () => Promise<Readiness> {
  return async () => {
    const [database, temporal] = await Promise.all([
      complaintOf(async () => ((await isMigrated(db)) ? null : 'not migrated')),
      complaintOf(async () => {
        await client.withDeadline(Date.now() + askWithinMs, () => client.workflowService.getSystemInfo({}));
        return null;
      }),
    ]);
    return { database, temporal };
  };
}

/** Says only that a part is away: error texts of libraries may name hosts and users. */
async function complaintOf(ask: () => Promise<string | null>): Promise<string | null> {
  try {
    return await ask();
  } catch {
    return 'cannot be reached';
  }
}
