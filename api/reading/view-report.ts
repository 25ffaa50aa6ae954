import type { Db } from '../../db/database.js';
import { type LaterRules, readLaterRules } from '../../db/reports/event-rules.js';
import { type ReadReport, type ReportVersion, readReport } from '../../db/reports/reports.js';
import { type CurrentGrade, findCurrentGrade } from '../../db/track-record/grades.js';
import { reportEtag } from '../http/etag.js';
import type { FrozenParts, ReadFrozenParts } from './frozen-parts.js';
import type { ReadRecordEntry } from './record-entries.js';

/** A report in its present state; `etag` is null while it can still change, and without its entry of the record. */
export interface ViewedReport {
  readonly report: ReadReport;
  readonly deliberation: FrozenParts['deliberation'] | null;
  readonly market: FrozenParts['market'];
  readonly record: FrozenParts['record'];
  readonly grade: CurrentGrade | null;
  /** What was read of the event's rules since the sale, where it was new. */
  readonly laterRules: readonly LaterRules[];
  readonly etag: string | null;
}

/** A report as its owner names it. */
export interface ReportQuery {
  readonly accountId: string;
  readonly id: number;
}

export interface ReportReader {
  readonly db: Db;
  readonly frozenParts: ReadFrozenParts;
  readonly readRecordEntry: ReadRecordEntry;
}

/** The report in its present state; null if the account has not bought it. */
export async function viewReport(
  { db, frozenParts, readRecordEntry }: ReportReader,
  { accountId, id }: ReportQuery,
): Promise<ViewedReport | null> {
  const report = await readReport(db, accountId, id);
  if (report === null) return null;
  switch (report.status) {
    case 'completed': {
      const [frozen, grade, laterRules] = await Promise.all([
        frozenParts(report),
        findCurrentGrade(db, id),
        readLaterRules(db, id),
      ]);
      return {
        ...frozen,
        report,
        grade,
        laterRules,
        etag: etagOf({ report, grade, laterRules, record: frozen.record }),
      };
    }
    case 'failed': {
      const record = await readRecordEntry(report);
      return { ...noParts, report, record, etag: etagOf({ ...noParts, report, record }) };
    }
    case 'pending':
    case 'processing':
      return { ...noParts, report, record: await readRecordEntry(report), etag: null };
  }
}

type Ended = Pick<ViewedReport, 'report' | 'grade' | 'laterRules'>;

function etagOf({ record, ...ended }: Ended & Pick<ViewedReport, 'record'>): string | null {
  return record === null ? null : reportEtag(versionOf(ended));
}

/** The version of an ended report that an owner sees. */
export function versionOf({ report, grade, laterRules }: Ended): ReportVersion {
  return {
    ...report,
    resolutionId: grade?.resolution.id ?? null,
    gradedAt: grade?.gradedAt ?? null,
    rulesSeenAt: laterRules.at(-1)?.seenAt ?? null,
  };
}

/** Parts that only a completed report has. */
const noParts = {
  deliberation: null,
  market: null,
  grade: null,
  laterRules: [],
};
