import type { Request } from 'express';
import { progressStages } from '../../council/deliberation/stages.js';
import { hasEnded } from '../../council/report.js';
import {
  type ReportState,
  type ReportVersion,
  readReportState,
  readReportVersion,
} from '../../db/reports/reports.js';
import { waitMaxSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { type HeldAnswers, type HeldQuery, holdAnswer } from './held-answers.js';
import type { ReportQuery } from './view-report.js';

interface WaitContext extends Pick<ApiContext, 'db' | 'now' | 'reportChanges'> {
  readonly heldAnswers: HeldAnswers;
}

/** The seconds of `Prefer: wait=N` (RFC 7240), at most 50; 0 without the header. */
export function readWait(request: Request): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/i.exec(request.get('prefer') ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), waitMaxSeconds);
}

/**
 * The version of the report once it has ended or made progress, or after the caller's wait time; null if the account has
 * not bought it. Reads PostgreSQL only, so it works while the worker and Temporal are down.
 * @throws Problem if the report can still change and no more responses may be held
 */
export async function waitForReport(
  context: WaitContext,
  query: ReportQuery & HeldQuery,
): Promise<ReportVersion | null> {
  const { db } = context;
  const { accountId, id } = query;
  if (query.waitSeconds === 0) return readReportVersion(db, accountId, id);
  const read = () => readReportState(db, accountId, id);
  // Before the first read, so that no later change is missed.
  const watch = context.reportChanges.watch(id);
  try {
    const first = await read();
    if (first === null || hasEnded(first.status)) return first;
    return await holdAnswer(context, query, {
      first,
      read,
      isHeld: latest => !hasEnded(latest.status) && progressOf(latest) === progressOf(first),
      next: watch.next,
    });
  } finally {
    watch.stop();
  }
}

/** Progress as callers see it: a run that has not entered a stage is shown in the first one. */
function progressOf({ status, stage, answered }: ReportState): string {
  return `${status}/${stage ?? progressStages[0]}/${answered}`;
}
