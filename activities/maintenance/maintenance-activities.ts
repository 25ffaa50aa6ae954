import type { Client } from '@temporalio/client';
import { fullAuditEveryDays } from '../../council/limits.js';
import { auditBooks, type BookAudit } from '../../db/audit/audit-books.js';
import { type AuditHorizon, readLastAudits, saveAudit } from '../../db/audit/audit-horizon.js';
import type { Db } from '../../db/database.js';
import { expireGrants } from '../../db/ledger/weekly-grants.js';
import { prune } from '../../db/pruning/prune.js';
import { compareUsage } from './compare-usage.js';
import { type FulfilDependencies, fulfilCheckouts } from './fulfil-checkouts.js';
import { type ReleaseDependencies, releaseStranded } from './release-stranded.js';
import { type SendDependencies, sendUsage } from './send-usage.js';
import { type StampDependencies, stampRecord } from './stamp-record.js';

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

export interface MaintenanceDependencies
  extends SendDependencies,
    FulfilDependencies,
    ReleaseDependencies,
    StampDependencies {
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
    expireGrants: () => expire(deps),
    stampRecord: () => stampRecord(deps),
    /** Deletes what is kept for a limited time. */
    prune: () => prune(deps.db, deps.now()),
  };
}

/** A lot that cannot be expired is logged, and becomes drift of the audit an hour after its end. */
async function expire({ db, now, log }: MaintenanceDependencies) {
  const { expired, failures } = await expireGrants(db, now);
  for (const failure of failures)
    log.error(failure, 'a weekly grant was not expired; the next round tries again');
  return { expired, failed: failures.length };
}

export interface LedgerCheck {
  /** One sentence for each fault; only the first ones when there are many. */
  readonly drift: readonly string[];
  readonly drifts: number;
  readonly notices: number;
  readonly checked: Readonly<Record<string, number>>;
  /** Whether all rows were compared, or those that were written since the last audit without drift. */
  readonly scope: BookAudit['scope'];
}

/** The history has the first sentences only; the log has all of them. */
const sentencesInHistoryMax = 20;

/**
 * Audits what has changed since the last audit without drift, and once a week everything. Logs each fault, and never
 * corrects anything.
 */
async function checkLedger({ db, metrics, now, log }: MaintenanceDependencies): Promise<LedgerCheck> {
  const audit = await auditBooks(db, now(), await changesToAudit(db, now()));
  const { drift, notices, checked, scope } = audit;
  if (drift.length === 0) await saveAudit(db, audit, now());
  metrics.ledgerDrift.set(drift.length);
  metrics.ledgerAudited.set(now().getTime() / 1_000);
  for (const fault of drift) log.error({ audit: 'ledger_drift' }, fault);
  for (const notice of notices) log.warn({ audit: 'ledger_notice' }, notice);
  return {
    drift: drift.slice(0, sentencesInHistoryMax),
    drifts: drift.length,
    notices: notices.length,
    checked,
    scope,
  };
}

/** Null if all rows are to be compared: before the first audit, and a week after the last one of all rows. */
async function changesToAudit(db: Db, now: Date): Promise<AuditHorizon | null> {
  const last = await readLastAudits(db);
  if (last === null) return null;
  const fullAuditDueAt = last.fullyAuditedAt.getTime() + fullAuditEveryDays * 24 * 3_600_000;
  return now.getTime() >= fullAuditDueAt ? null : last.horizon;
}
