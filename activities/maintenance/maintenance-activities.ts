import type { Client } from '@temporalio/client';
import { auditBooks } from '../../db/audit/audit-books.js';
import { expireGrants } from '../../db/ledger/weekly-grants.js';
import { compareUsage } from './compare-usage.js';
import { type FulfilDependencies, fulfilCheckouts } from './fulfil-checkouts.js';
import { type ReleaseDependencies, releaseStranded } from './release-stranded.js';
import { type SendDependencies, sendUsage } from './send-usage.js';

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

export interface MaintenanceDependencies extends SendDependencies, FulfilDependencies, ReleaseDependencies {
  readonly temporal: Client;
}

/** The activities of the maintenance duties. Each may be repeated at any time. */
export function createMaintenanceActivities(deps: MaintenanceDependencies) {
  return {
    sendUsage: () => sendUsage(deps),
    compareUsage: (after: string | null) => compareUsage(deps, after),
    fulfilCheckouts: () => fulfilCheckouts(deps),
    releaseStranded: () => releaseStranded(deps),
    checkLedger: () => checkLedger(deps),
    /** Takes back what weekly grants still hold after their end. */
    expireGrants: async () => ({ expired: await expireGrants(deps.db, deps.now()) }),
  };
}

export interface LedgerCheck {
  /** One sentence for each fault; only the first ones when there are many. */
  readonly drift: readonly string[];
  readonly drifts: number;
  readonly notices: number;
  readonly checked: Readonly<Record<string, number>>;
}

/** The history has the first sentences only; the log has all of them. */
const sentencesInHistoryMax = 20;

/** Audits the ledger and logs each fault. Never corrects anything. */
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
