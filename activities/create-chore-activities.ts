import { expireGrants } from '../db/weekly-grants.js';
import { checkLedger } from './check-ledger.js';
import type { ChoreActivities } from './chore-activities.js';
import type { ChoreDependencies } from './chore-dependencies.js';
import { releaseStranded } from './release-stranded.js';
import { sendUsage } from './send-usage.js';

/** The activities of the chores, standing on real or test dependencies. */
export function createChoreActivities(deps: ChoreDependencies): ChoreActivities {
  return {
    sendUsage: () => sendUsage(deps),
    releaseStranded: () => releaseStranded(deps),
    checkLedger: () => checkLedger(deps),
    expireGrants: async () => ({ expired: await expireGrants(deps.db, deps.now()) }),
  };
}
