import { auditBooks } from '../../db/audit/audit-books.js';
import { expireGrants } from '../../db/ledger/weekly-grants.js';
import type {
  LedgerCheck,
  MaintenanceActivities,
  MaintenanceDependencies,
} from './maintenance-activities.js';
import { releaseStranded } from './release-stranded.js';
import { sendUsage } from './send-usage.js';

/** The activities of the chores, standing on real or test dependencies. */
export function createMaintenanceActivities(deps: MaintenanceDependencies): MaintenanceActivities {
  return {
    sendUsage: () => sendUsage(deps),
    releaseStranded: () => releaseStranded(deps),
    checkLedger: () => checkLedger(deps),
    expireGrants: async () => ({ expired: await expireGrants(deps.db, deps.now()) }),
  };
}

/** What a history is told; the log is told everything. */
const sentencesInHistoryMax = 20;

/** Audits the books, and says in the log what is wrong with them. Mends nothing. */
async function checkLedger({ db, metrics, now, log }: MaintenanceDependencies): Promise<LedgerCheck> {
  const { drift, notices, checked } = await auditBooks(db, now());
  metrics.ledgerDrift.set(drift.length);
  metrics.ledgerAudited.set(now().getTime() / 1_000);
  for (const fault of drift) log.error({ audit: 'ledger_drift' }, fault);
  for (const notice of notices) log.warn({ audit: 'ledger_notice' }, notice);
  return {
    drift: drift.slice(0, sentencesInHistoryMax),
    drifts: drift.length,
    notices: notices.length,
    checked,
  };
}
