import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../../db/database.js';
import { type OwnedReportRow, type ReportVersion, readReport } from '../../db/reports/reports.js';
import { type CurrentGrade, findCurrentGrade } from '../../db/track-record/grades.js';
import { reportEtag } from '../http/etag.js';
import type { FrozenParts, ReadFrozenParts } from './frozen-parts.js';

/** A report in its present state; `etag` is null while it can still change. */
export interface ViewedReport {
  readonly report: OwnedReportRow;
  readonly deliberation: FrozenParts['deliberation'] | null;
  readonly market: FrozenParts['market'];
  readonly record: FrozenParts['record'];
  readonly grade: CurrentGrade | null;
  /** The models that have answered in the current stage. */
  readonly answered: readonly CouncilModel[];
  readonly etag: string | null;
}

/** A report as its owner names it. */
export interface ReportQuery {
  readonly accountId: string;
  readonly id: number;
}

/** The report in its present state; null if the account has not bought it. */
export async function viewReport(
  { db, frozenParts }: { readonly db: Db; readonly frozenParts: ReadFrozenParts },
  { accountId, id }: ReportQuery,
): Promise<ViewedReport | null> {
  const report = await readReport(db, accountId, id);
  if (report === null) return null;
  switch (report.status) {
    case 'completed': {
      const [frozen, grade] = await Promise.all([frozenParts(id), findCurrentGrade(db, id)]);
      return { ...frozen, report, grade, answered: [], etag: reportEtag(versionOf({ report, grade })) };
    }
    case 'failed':
      return { ...noParts, report, etag: reportEtag(versionOf({ report, grade: null })) };
    case 'pending':
    case 'processing':
      return { ...noParts, report, answered: report.answered };
  }
}

/** The version of an ended report that an owner sees. */
export function versionOf({ report, grade }: Pick<ViewedReport, 'report' | 'grade'>): ReportVersion {
  return { ...report, resolutionId: grade?.resolution.id ?? null, gradedAt: grade?.gradedAt ?? null };
}

/** Parts that only a completed report has. */
const noParts = { deliberation: null, market: null, grade: null, record: null, answered: [], etag: null };
