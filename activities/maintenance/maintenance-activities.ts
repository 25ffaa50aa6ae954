import type { Client } from '@temporalio/client';
import { auditBooks, type BookAudit } from '../../db/audit/audit-books.js';
import {
  type AuditHorizon,
  isOfThisCluster,
  type LastAudits,
  readHorizon,
  readLastAudits,
  saveAudit,
  saveFailedFullAudit,
} from '../../db/audit/audit-horizon.js';
import { expireGrants } from '../../db/ledger/weekly-grants.js';
import { prune } from '../../db/pruning/prune.js';
import { fullAuditEveryDays, fullAuditRetriedAfterDays, fullAuditWithinMs } from '../../purchase/limits.js';
import { compareUsage } from './compare-usage.js';
import { type FillDependencies, fillKalshiIndex } from './fill-kalshi-index.js';
import { type FulfilDependencies, fulfilCheckouts } from './fulfil-checkouts.js';
import { type ReleaseDependencies, releaseStranded } from './release-stranded.js';
import { type SendDependencies, sendUsage } from './send-usage.js';
import { type StampDependencies, stampRecord } from './stamp-record.js';

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

export interface MaintenanceDependencies
  extends SendDependencies,
    FulfilDependencies,
    ReleaseDependencies,
    StampDependencies,
    FillDependencies {
  readonly temporal: Client;
  /** How long an audit of all rows may take. Tests shorten it. */
  readonly fullAuditMaxMs?: number;
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
    fillKalshiIndex: () => fillKalshiIndex(deps),
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
 * Audits what has changed since the last audit without drift, and once a week everything. An audit of everything that
 * fails is logged and tried again a day later; it stops no audit of the changes.
 * @throws Error if it fails and there is no earlier audit to compare the changes with
 */
async function checkLedger(deps: MaintenanceDependencies): Promise<LedgerCheck> {
  const { db, metrics, now, log } = deps;
  const [last, horizon] = [await readLastAudits(db), await readHorizon(db)];
  const known = last !== null && isOfThisCluster(last.horizon, horizon) ? last : null;
  const changes = known === null ? null : await audit(deps, known.horizon);
  const fullyAuditedAt = known?.fullyAuditedAt ?? new Date(0);
  metrics.ledgerFullyAudited.set(fullyAuditedAt.getTime() / 1_000);
  if (changes !== null && (changes.drifts > 0 || !isFullAuditDue(known, now()))) return changes;
  try {
    return await audit(deps, null);
  } catch (err) {
    log.error(
      { err, audit: 'ledger_not_audited' },
      'the audit of all rows failed; it is tried again in a day',
    );
    await saveFailedFullAudit(db, { horizon, fullyAuditedAt }, now());
    if (changes === null) throw err;
    return changes;
  }
}

/** Logs each fault, and never corrects anything. @param since null to compare all rows */
async function audit(
  { db, metrics, now, log, fullAuditMaxMs = fullAuditWithinMs }: MaintenanceDependencies,
  since: AuditHorizon | null,
): Promise<LedgerCheck> {
  const audited = await auditBooks(db, now(), since, since === null ? fullAuditMaxMs : Infinity);
  const { drift, notices, checked, scope } = audited;
  if (drift.length === 0) await saveAudit(db, audited, now());
  metrics.ledgerDrift.set(drift.length);
  metrics.ledgerAudited.set(now().getTime() / 1_000);
  if (drift.length === 0 && scope === 'all') metrics.ledgerFullyAudited.set(now().getTime() / 1_000);
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

/** A week after the last one without drift, and a day after one that failed. */
function isFullAuditDue(last: LastAudits | null, now: Date): boolean {
  const daysSince = (time: Date) => (now.getTime() - time.getTime()) / 86_400_000;
  if (last === null) return true;
  if (last.fullAuditFailedAt !== null && daysSince(last.fullAuditFailedAt) < fullAuditRetriedAfterDays)
    return false;
  return daysSince(last.fullyAuditedAt) >= fullAuditEveryDays;
}
