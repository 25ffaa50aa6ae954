import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from 'express';
import { stages } from '../council/deliberation.js';
import type { MarketEvent } from '../council/event.js';
import { waitMaxSeconds } from '../council/limits.js';
import type { CouncilModel } from '../council/models.js';
import { readDeliberation, type StoredDeliberation } from '../db/deliberation.js';
import { type GradeThatCounts, newestGrade } from '../db/grades.js';
import { findRecordEntry } from '../db/record.js';
import { listAnswered, type OwnedReportRow, readReport } from '../db/reports.js';
import { readRun } from '../db/run.js';
import type { ApiContext } from './context.js';

/** A report as it stands; `etag` is null while it may still change. */
export interface ReportView {
  readonly report: OwnedReportRow;
  readonly deliberation: StoredDeliberation | null;
  /** The market as the run froze it. */
  readonly market: MarketEvent | null;
  readonly grade: GradeThatCounts | null;
  /** Where it stands in the public record. */
  readonly record: { readonly seq: number; readonly hash: string } | null;
  /** Who has answered at the stage the run is at. */
  readonly answered: readonly CouncilModel[];
  readonly etag: string | null;
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
  context: ApiContext,
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

async function view({ db }: ApiContext, { accountId, id }: ReportQuestion): Promise<ReportView | null> {
  const report = await readReport(db, accountId, id);
  if (report === null) return null;
  switch (report.status) {
    case 'completed': {
      const [deliberation, { event }, grade, record] = await Promise.all([
        readDeliberation(db, id),
        readRun(db, id),
        newestGrade(db, id),
        findRecordEntry(db, id),
      ]);
      return { ...nothing, report, deliberation, market: event, grade, record, etag: etagOf(report, grade) };
    }
    case 'failed':
      return { ...nothing, report, etag: etagOf(report, null) };
    case 'pending':
    case 'processing': {
      const answered = report.stage === null ? [] : await listAnswered(db, id, report.stage);
      return { ...nothing, report, answered };
    }
  }
}

/** What a report is before it has ended: nothing of this. */
const nothing = { deliberation: null, market: null, grade: null, record: null, answered: [], etag: null };

/** A terminal report is frozen but for its grade; the rest is what differs from owner to owner. */
function etagOf(
  { id, status, endedAt, bought, apiKeyId }: OwnedReportRow,
  grade: GradeThatCounts | null,
): string {
  const graded = grade === null ? 'ungraded' : `${grade.resolution.id}-${grade.gradedAt.getTime()}`;
  return `"${[id, status, endedAt?.getTime(), bought, apiKeyId ?? 'session', graded].join('.')}"`;
}

/** What a caller can see of it: a run that has not entered a stage yet is shown at the first. */
function progressOf(view: ReportView | null): string {
  if (view === null) return '';
  const { report, answered } = view;
  return `${report.status}/${report.stage ?? stages[0]}/${answered.length}`;
}
