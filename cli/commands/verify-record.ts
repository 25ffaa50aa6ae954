import type { Db } from '../../db/database.js';
import { verifyRecord } from '../../db/verify-record.js';
import type { Output } from '../output.js';

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
