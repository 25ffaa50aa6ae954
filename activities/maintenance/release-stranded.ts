import { type WorkflowExecutionStatusName, WorkflowNotFoundError } from '@temporalio/client';
import { strandedAfterMinutes } from '../../council/limits.js';
import { refundPurchase } from '../../db/purchases/refunds.js';
import { listUnfinishedRuns, type UnfinishedRun } from '../../db/reports/run.js';
import { countRefund } from '../report/refund-report.js';
import type { MaintenanceDependencies, StrandedRound } from './maintenance-activities.js';

/**
 * Gives back what was charged by runs that were ended from outside: a terminated workflow refunds nothing itself.
 * Temporal is asked about the latest run of the workflow id, from its own record and not from its search index. One
 * that goes on is left alone, whatever its age; the refund itself leaves a report alone that was completed meanwhile.
 */
export async function releaseStranded(deps: MaintenanceDependencies): Promise<StrandedRound> {
  const round = { released: 0, running: 0, waiting: 0, troubled: 0 };
  for (const run of await listUnfinishedRuns(deps.db)) {
    try {
      round[await release(deps, run)]++;
    } catch (err) {
      deps.log.warn(
        { err, reportId: run.reportId },
        'a run could not be looked after; the next round tries again',
      );
      round.troubled++;
    }
  }
  return round;
}

async function release(
  { db, temporal, metrics, now, log }: MaintenanceDependencies,
  { purchaseId, accountId, reportId, workflowId, createdAt }: UnfinishedRun,
): Promise<'released' | 'running' | 'waiting'> {
  const status = await statusOf(temporal, workflowId);
  if (status === 'unknown') {
    const ageMinutes = (now().getTime() - createdAt.getTime()) / 60_000;
    if (ageMinutes <= strandedAfterMinutes) return 'waiting';
  } else if (!closed.has(status)) return 'running';
  const { receipt, given } = await refundPurchase(db, {
    purchaseId,
    accountId,
    failure: 'abandoned',
    now: now(),
  });
  if (given) countRefund(metrics, 'abandoned', receipt);
  log.warn(
    { reportId, workflowId, status, credits: receipt.credits },
    'a run that was ended from outside is closed',
  );
  return 'released';
}

/** Every other status, and any that is yet to be invented, is a run that may still come to its own end. */
const closed: ReadonlySet<WorkflowExecutionStatusName | 'unknown'> = new Set([
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TERMINATED',
  'TIMED_OUT',
]);

async function statusOf(
  temporal: MaintenanceDependencies['temporal'],
  workflowId: string,
): Promise<WorkflowExecutionStatusName | 'unknown'> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
