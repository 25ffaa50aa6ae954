import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from 'express';
import { stages } from '../../council/deliberation/stages.js';
import { waitMaxSeconds } from '../../council/limits.js';
import type { CouncilModel } from '../../council/models.js';
import { listAnswered, type OwnedReportRow, readReport } from '../../db/reports/reports.js';
import { type GradeThatCounts, newestGrade } from '../../db/track-record/grades.js';
import type { ApiContext } from '../context.js';
import { reportEtag } from '../http/etag.js';
import type { FrozenParts, ReadFrozenParts } from './frozen-parts.js';

/** A report as it stands; `etag` is null while it may still change. */
export interface ReportView {
  readonly report: OwnedReportRow;
  readonly deliberation: FrozenParts['deliberation'] | null;
  readonly market: FrozenParts['market'];
  readonly record: FrozenParts['record'];
  readonly grade: GradeThatCounts | null;
  /** Who has answered at the stage the run is at. */
  readonly answered: readonly CouncilModel[];
  readonly etag: string | null;
}

export interface ReportReader extends Pick<ApiContext, 'db' | 'now'> {
  readonly frozenParts: ReadFrozenParts;
}

interface ReportQuestion {
  readonly accountId: string;
  readonly id: number;
  readonly waitSeconds: number;
  /** True once the caller has gone away. */
  readonly closed: () => boolean;
}

const lookEveryMs = 250;

/** Seconds that `Prefer: wait=N` asks for (RFC 7240), at most 50; 0 where it does not. */
export function readWait(request: Request): number {
  const asked = /(?:^|[,;\s])wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/i.exec(request.get('prefer') ?? '')?.[1];
  return Math.min(Number(asked ?? 0), waitMaxSeconds);
}

/**
 * The report, held back until it is terminal or its progress has changed, for as long as the caller prefers.
 * Reads PostgreSQL only: an answer can be had while worker and Temporal are away.
 */
export async function waitForReport(
  context: ReportReader,
  question: ReportQuestion,
): Promise<ReportView | null> {
  const until = context.now().getTime() + question.waitSeconds * 1_000;
  const first = await view(context, question);
  let latest = first;
  while (
    latest !== null &&
    latest.etag === null &&
    progressOf(latest) === progressOf(first) &&
    context.now().getTime() < until &&
    !question.closed()
  ) {
    await pause(lookEveryMs);
    latest = await view(context, question);
  }
  return latest;
}

async function view(
  { db, frozenParts }: ReportReader,
  { accountId, id }: ReportQuestion,
): Promise<ReportView | null> {
  const report = await readReport(db, accountId, id);
  if (report === null) return null;
  switch (report.status) {
    case 'completed': {
      const [frozen, grade] = await Promise.all([frozenParts(id), newestGrade(db, id)]);
      const etag = reportEtag({
        ...report,
        resolutionId: grade?.resolution.id ?? null,
        gradedAt: grade?.gradedAt ?? null,
      });
      return { ...frozen, report, grade, answered: [], etag };
    }
    case 'failed':
      return { ...nothing, report, etag: reportEtag({ ...report, resolutionId: null, gradedAt: null }) };
    case 'pending':
    case 'processing': {
      const answered = report.stage === null ? [] : await listAnswered(db, id, report.stage);
      return { ...nothing, report, answered };
    }
  }
}

/** What a report is before it has ended: nothing of this. */
const nothing = { deliberation: null, market: null, grade: null, record: null, answered: [], etag: null };

/** What a caller can see of it: a run that has not entered a stage yet is shown at the first. */
function progressOf(view: ReportView | null): string {
  if (view === null) return '';
  const { report, answered } = view;
  return `${report.status}/${report.stage ?? stages[0]}/${answered.length}`;
}
