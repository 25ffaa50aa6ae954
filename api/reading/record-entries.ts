import { Mutex } from 'async-mutex';
import type { RecordEntryView } from '../../contract/record-chain.js';
import { hasEnded, type ReportStatus } from '../../council/report.js';
import { type Db, isDatabaseUnavailable } from '../../db/database.js';
import { findRecordEntry } from '../../db/track-record/record.js';
import { sealRecord } from '../../db/track-record/seal-record.js';

export interface RecordedReport {
  readonly id: number;
  readonly status: ReportStatus;
  readonly createdAt: Date;
}

/**
 * Reads the newest entry of a report. Null for a moment after the sale, and if the record cannot be sealed: the report is
 * readable then, and the worker logs why.
 */
export type ReadRecordEntry = (report: RecordedReport) => Promise<RecordEntryView | null>;

/** What the public API promises: a worker seals about once a second. */
const sealedWithinMs = 2_000;

/**
 * Has an entry sealed that should be and is not, so that nobody reads an ended report without its entry. One at a time:
 * many callers may wait for the end of a report, and each would hold a connection while another one seals.
 */
export function createRecordEntries({ db, now }: { db: Db; now: () => Date }): ReadRecordEntry {
  const sealing = new Mutex();
  return async report => {
    const sealed = await findNewest(db, report);
    if (sealed !== null || !isDue(report, now())) return sealed;
    return sealing.runExclusive(async () => {
      const meanwhile = await findNewest(db, report);
      if (meanwhile !== null) return meanwhile;
      try {
        await sealRecord(db);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
      }
      return findNewest(db, report);
    });
  };
}

function isDue({ status, createdAt }: RecordedReport, now: Date): boolean {
  return hasEnded(status) || now.getTime() - createdAt.getTime() >= sealedWithinMs;
}

async function findNewest(db: Db, { id, status }: RecordedReport): Promise<RecordEntryView | null> {
  const entry = await findRecordEntry(db, id);
  if (entry?.kind !== (hasEnded(status) ? status : 'sold')) return null;
  return { seq: entry.seq, hash: entry.hash };
}
