import { type Client, type WorkflowExecutionStatusName, WorkflowNotFoundError } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { refundPurchase } from '../../db/purchases/refunds.js';
import { listUnfinishedRuns, type UnfinishedRun } from '../../db/reports/run.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import { strandedAfterMinutes } from '../../purchase/limits.js';
import { countRefund } from '../report/refund-report.js';

export interface ReleaseDependencies {
  readonly db: Db;
  /** A client of the namespace that the runs are in. */
  readonly temporal: Pick<Client, 'workflow'>;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface StrandedRound {
  readonly released: number;
  readonly running: number;
  /** Temporal does not know their run, and they are too young to be refunded. */
  readonly waiting: number;
  /** Ended by themselves while they were checked. */
  readonly ended: number;
  /** Could not be checked or refunded; the next round tries again. */
  readonly failed: number;
}

/**
 * Refunds the charges of runs that were ended from outside: a workflow that was terminated or timed out runs no
 * compensation. Asks Temporal for the latest run of the workflow ID, which unlike the search index is never out of date.
 * A run that is still open is left alone at any age, and the refund has no effect on a report that has been completed in
 * the meantime.
 */
export async function releaseStranded(deps: ReleaseDependencies): Promise<StrandedRound> {
  const round = { released: 0, running: 0, waiting: 0, ended: 0, failed: 0 };
  for (const run of await listUnfinishedRuns(deps.db)) {
    try {
      round[await release(deps, run)]++;
    } catch (err) {
      deps.log.warn(
        { err, reportId: run.reportId },
        'a run could not be checked; the next round tries again',
      );
      round.failed++;
    }
  }
  return round;
}

async function release(
  { db, temporal, metrics, now, log }: ReleaseDependencies,
  { purchaseId, accountId, reportId, workflowId, createdAt }: UnfinishedRun,
): Promise<'released' | 'running' | 'waiting' | 'ended'> {
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
  if (!given) return 'ended';
  countRefund(metrics, 'abandoned', receipt);
  log.warn(
    { reportId, workflowId, status, credits: receipt.credits },
    'the charge of a run that was ended from outside is refunded',
  );
  return 'released';
}

/** In every other status, future ones included, the run may still end normally. */
const closed: ReadonlySet<WorkflowExecutionStatusName | 'unknown'> = new Set([
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TERMINATED',
  'TIMED_OUT',
]);

async function statusOf(
  temporal: ReleaseDependencies['temporal'],
  workflowId: string,
): Promise<WorkflowExecutionStatusName | 'unknown'> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
