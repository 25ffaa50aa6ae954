import { auditBooks, type BookAudit } from '../../db/audit/audit-books.js';
import type { Db } from '../../db/database.js';
import { verifyRecord } from '../../db/track-record/record.js';
import type { Output, Paint } from '../terminal/output.js';

/**
 * Audits the books and lists what does not balance.
 * @returns false when something does not balance
 */
export async function checkLedger(db: Db, output: Output, now: Date): Promise<boolean> {
  output.flicker('Auditing the books');
  const audit = await auditBooks(db, now);
  const { drift, notices, checked } = audit;
  const ok = drift.length === 0;
  output.result({ ok, drift, notices, checked }, describe(audit, output.paint));
  if (!ok) output.next('Nothing was changed. db/README.md describes the invariants.');
  return ok;
}

function describe({ drift, notices, checked }: BookAudit, paint: Paint): string {
  const counts = Object.entries(checked).map(([table, rows]) => `${rows} ${table.replaceAll('_', ' ')}`);
  return [
    drift.length === 0
      ? paint.good('The books balance.')
      : paint.bad(`The books do NOT balance, in ${drift.length} places:`),
    ...drift.map(fault => `  ${fault}`),
    ...(notices.length === 0 ? [] : ['To review:', ...notices.map(notice => `  ${notice}`)]),
    `Checked: ${counts.join(', ')}.`,
  ].join('\n');
}

/** Recomputes every hash of the record, and compares it with the reports. @returns false on any difference */
export async function checkRecord(db: Db, output: Output): Promise<boolean> {
  output.flicker('Recomputing every hash of the record');
  const { entries, head, faults } = await verifyRecord(db);
  const ok = faults.length === 0;
  output.result(
    { ok, entries, head, faults },
    ok
      ? `The record is intact: ${entries} forecasts, each chained to the one before. Head: ${head}`
      : ['The record is NOT intact:', ...faults.map(fault => `  ${fault}`)].join('\n'),
  );
  if (!ok) output.next('Nothing was changed. Compare with a backup from before the first entry listed.');
  return ok;
}
