import { auditBooks } from '../db/audit-books.js';
import type { LedgerCheck } from './chore-activities.js';
import type { ChoreDependencies } from './chore-dependencies.js';

/** What a history is told; the log is told everything. */
const sentencesInHistoryMax = 20;

/** Audits the books, and says in the log what is wrong with them. Mends nothing. */
export async function checkLedger({ db, metrics, now, log }: ChoreDependencies): Promise<LedgerCheck> {
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
