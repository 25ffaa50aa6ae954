import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Db } from '../../db/database.js';
import { searchAttributes } from '../../workflows/report-interface.js';

interface Run {
  readonly workflowId: string;
  /** Temporal's own status, for example `COMPLETED`. */
  readonly ended: string;
  readonly reportId: number | undefined;
  readonly reportStatus: string | undefined;
}

/**
 * Compares how each report ended in PostgreSQL with how its run ended in Temporal, in both directions. A failed report
 * is found by `ReportId`, and its run is
 * - failed or cancelled, with the `ReportStatus` `failed`; or
 * - terminated or timed out, if it was refunded as `abandoned`. Such a run executes nothing more, so that its
 *   `ReportStatus` stays what it was.
 *
 * The runs must have ended: one that is just ending differs. Temporal's search is some moments behind; repeat the
 * comparison until it finds nothing.
 * @returns a sentence for each difference
 */
export async function compareEnds(db: Db, temporal: Client): Promise<string[]> {
  const accounts = await db.selectFrom('accounts').select('id').execute();
  const runs = await listRuns(temporal, new Set(accounts.map(({ id }) => id)));
  const reports = await db
    .selectFrom('reports')
    .select(['id', 'status', 'failure_code as failure', 'workflow_id as workflowId'])
    .orderBy('id')
    .execute();
  const statusOf = new Map(reports.map(({ id, status }) => [id, status]));
  return [
    ...reports.flatMap(report =>
      reportDifferences(
        report,
        runs.filter(({ reportId }) => reportId === report.id),
      ),
    ),
    ...runs.flatMap(run => runDifferences(run, statusOf.get(run.reportId ?? 0))),
  ];
}

/** The runs of these accounts: other services may share the namespace. */
async function listRuns(temporal: Client, accounts: ReadonlySet<string>): Promise<Run[]> {
  const runs: Run[] = [];
  for await (const found of temporal.workflow.list({ query: "WorkflowType = 'councilReport'" })) {
    if (accounts.has(found.typedSearchAttributes.get(searchAttributes.AccountId) ?? ''))
      runs.push(runOf(found));
  }
  return runs;
}

function runOf({ workflowId, status, typedSearchAttributes: found }: WorkflowExecutionInfo): Run {
  return {
    workflowId,
    ended: status.name,
    reportId: found.get(searchAttributes.ReportId),
    reportStatus: found.get(searchAttributes.ReportStatus),
  };
}

interface Ended {
  readonly id: number;
  readonly status: string;
  readonly failure: string | null;
  readonly workflowId: string;
}

function reportDifferences({ id, status, failure, workflowId }: Ended, runs: readonly Run[]): string[] {
  const isAsExpected = (run: Run): boolean => {
    if (run.workflowId !== workflowId) return false;
    if (status === 'completed') return run.ended === 'COMPLETED' && run.reportStatus === 'completed';
    if (status !== 'failed') return run.ended === 'RUNNING';
    if (isStopped(run)) return failure === 'abandoned';
    return ['FAILED', 'CANCELLED'].includes(run.ended) && run.reportStatus === 'failed';
  };
  if (runs.some(isAsExpected)) return [];
  const ended = runs.map(run => `${run.ended} with the ReportStatus ${run.reportStatus}`).join(', ');
  return [`report ${id} is ${status} (${failure}), and its run is ${ended || 'not found by ReportId'}`];
}

function runDifferences(run: Run, status: string | undefined): string[] {
  const { workflowId, ended, reportId, reportStatus } = run;
  const isDifferent =
    reportId === undefined
      ? reportStatus !== undefined
      : status === undefined && ended !== 'RUNNING' && !isStopped(run);
  return isDifferent
    ? [`${workflowId} is ${ended} with ReportId ${reportId} and ReportStatus ${reportStatus}: no such report`]
    : [];
}

function isStopped({ ended }: Run): boolean {
  return ended === 'TERMINATED' || ended === 'TIMED_OUT';
}
