import type { Request } from 'express';
import { callStages } from '../../council/deliberation/stages.js';
import { waitMaxSeconds } from '../../council/limits.js';
import type { CouncilModel } from '../../council/models.js';
import type { ReportWatch } from '../../db/reports/report-changes.js';
import {
  listAnsweredModels,
  type OwnedReportRow,
  type ReportVersion,
  readReport,
} from '../../db/reports/reports.js';
import { type CurrentGrade, findCurrentGrade } from '../../db/track-record/grades.js';
import type { ApiContext } from '../context.js';
import { reportEtag } from '../http/etag.js';
import type { FrozenParts, ReadFrozenParts } from './frozen-parts.js';
import type { HeldAnswers } from './held-answers.js';

/** A report in its present state; `etag` is null while it can still change. */
export interface ReportView {
  readonly report: OwnedReportRow;
  readonly deliberation: FrozenParts['deliberation'] | null;
  readonly market: FrozenParts['market'];
  readonly record: FrozenParts['record'];
  readonly grade: CurrentGrade | null;
  /** The models that have answered in the current stage. */
  readonly answered: readonly CouncilModel[];
  readonly etag: string | null;
}

export interface ReportReader extends Pick<ApiContext, 'db' | 'now' | 'reportChanges'> {
  readonly frozenParts: ReadFrozenParts;
  readonly heldAnswers: HeldAnswers;
}

interface ReportQuery {
  readonly accountId: string;
  readonly id: number;
}

interface HeldQuery extends ReportQuery {
  readonly waitSeconds: number;
  /** Aborted once the caller has disconnected. */
  readonly gone: AbortSignal;
}

/** The seconds of `Prefer: wait=N` (RFC 7240), at most 50; 0 without the header. */
export function readWait(request: Request): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/i.exec(request.get('prefer') ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), waitMaxSeconds);
}

/**
 * Returns the report once it has ended or made progress, or after the caller's wait time. Reads PostgreSQL
 * only, so it works while the worker and Temporal are down.
 * @throws Problem if the report can still change and no more responses may be held
 */
export async function waitForReport(context: ReportReader, query: HeldQuery): Promise<ReportView | null> {
  if (query.waitSeconds === 0) return viewReport(context, query);
  // Before the first read, so that no later change is missed.
  const watch = context.reportChanges.watch(query.id);
  try {
    const first = await viewReport(context, query);
    if (first === null || first.etag !== null) return first;
    const until = new Date(context.now().getTime() + query.waitSeconds * 1_000);
    const free = await context.heldAnswers.hold({ accountId: query.accountId, until });
    try {
      return await viewOnProgress(context, query, { first, watch, until });
    } finally {
      await free();
    }
  } finally {
    watch.stop();
  }
}

interface Held {
  readonly first: ReportView;
  readonly watch: ReportWatch;
  readonly until: Date;
}

async function viewOnProgress(
  context: ReportReader,
  query: HeldQuery,
  held: Held,
): Promise<ReportView | null> {
  const { first, watch, until } = held;
  for (let latest: ReportView | null = first; ; ) {
    const leftMs = until.getTime() - context.now().getTime();
    const canStillChange =
      latest !== null && latest.etag === null && progressOf(latest) === progressOf(first);
    if (!canStillChange || leftMs <= 0 || query.gone.aborted) return latest;
    await watch.next(leftMs, query.gone);
    latest = await context.heldAnswers.read(async () =>
      query.gone.aborted ? first : viewReport(context, query),
    );
  }
}

/** The report in its present state; null if the account has not bought it. */
export async function viewReport(
  { db, frozenParts }: Pick<ReportReader, 'db' | 'frozenParts'>,
  { accountId, id }: ReportQuery,
): Promise<ReportView | null> {
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
    case 'processing': {
      const answered = report.stage === null ? [] : await listAnsweredModels(db, id, report.stage);
      return { ...noParts, report, answered };
    }
  }
}

/** The version of an ended report that an owner sees. */
export function versionOf({ report, grade }: Pick<ReportView, 'report' | 'grade'>): ReportVersion {
  return { ...report, resolutionId: grade?.resolution.id ?? null, gradedAt: grade?.gradedAt ?? null };
}

/** Parts that only a completed report has. */
const noParts = { deliberation: null, market: null, grade: null, record: null, answered: [], etag: null };

/** Progress as callers see it: a run that has not entered a stage is shown in the first one. */
function progressOf(view: ReportView | null): string {
  if (view === null) return '';
  const { report, answered } = view;
  return `${report.status}/${report.stage ?? callStages[0]}/${answered.length}`;
}
