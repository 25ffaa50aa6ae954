import type { Client } from '@temporalio/client';
import type { Db } from '../db/database.js';
import { isMigrated } from '../db/migrate.js';
import type { Readiness } from './context.js';

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
