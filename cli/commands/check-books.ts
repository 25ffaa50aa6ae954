import { auditBooks, type BookAudit } from '../../db/audit/audit-books.js';
import type { Db } from '../../db/database.js';
import { verifyRecord } from '../../db/track-record/record.js';
import type { Output, Paint } from '../terminal/output.js';

/**
 * Audits the books and says what does not add up.
 * @returns false when something does not
 */
export async function checkLedger(db: Db, output: Output, now: Date): Promise<boolean> {
  output.flicker('Auditing the books');
  const audit = await auditBooks(db, now);
  const ok = audit.drift.length === 0;
  output.result({ ok, ...audit }, describe(audit, output.paint));
  if (!ok) output.next('Nothing was changed. db/README.md says what must hold.');
  return ok;
}

function describe({ drift, notices, checked }: BookAudit, paint: Paint): string {
  const counts = Object.entries(checked).map(([table, rows]) => `${rows} ${table.replaceAll('_', ' ')}`);
  return [
    drift.length === 0
      ? paint.good('The books add up.')
      : paint.bad(`The books do NOT add up, in ${drift.length} places:`),
    ...drift.map(fault => `  ${fault}`),
    ...(notices.length === 0 ? [] : ['To be looked at:', ...notices.map(notice => `  ${notice}`)]),
    `Checked: ${counts.join(', ')}.`,
  ].join('\n');
}

/** Redoes every hash of the record and holds it against the reports. @returns false when anything does not hold. */
export async function checkRecord(db: Db, output: Output): Promise<boolean> {
  output.flicker('Redoing every hash of the record');
  const { entries, head, faults } = await verifyRecord(db);
  const ok = faults.length === 0;
  output.result(
    { ok, entries, head, faults },
    ok
      ? `The record holds: ${entries} forecasts, each chained to the one before. Head: ${head}`
      : ['The record does NOT hold:', ...faults.map(fault => `  ${fault}`)].join('\n'),
  );
  if (!ok)
    output.next('Nothing was changed. Compare with a backup from before the first entry that is named.');
  return ok;
}
