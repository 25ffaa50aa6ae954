import { searchAttributes } from '../../../workflows/report-interface.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Books, ReportRow } from './books.js';

export interface FailureCheck {
  readonly faults: readonly string[];
  readonly failedInPostgres: number;
  /** Runs with the search attribute `ReportStatus` = `failed` that belong to a report. */
  readonly failedInTemporal: number;
  /** Failed reports whose runs an operator terminated: Temporal has them as terminated. */
  readonly terminated: number;
  /** Reports that failed as `internal` or `abandoned`, without those whose runs an operator terminated. */
  readonly failedByUs: readonly ReportRow[];
}

/**
 * Every failed report is found in Temporal as failed, and the reverse. No report is `abandoned`, unless an
 * operator terminated its run.
 */
export async function checkFailures(deployment: Deployment, { reports }: Books): Promise<FailureCheck> {
  const { terminated } = deployment;
  const failed = reports.filter(({ status }) => status === 'failed');
  const inTemporal = await failedRuns(deployment);
  const failedIds = new Set(failed.map(({ id }) => id));
  const failedByUs = failed.filter(
    ({ id, failure }) => (failure === 'internal' || failure === 'abandoned') && !terminated.has(id),
  );
  return {
    faults: [
      ...failedByUs
        .filter(({ failure }) => failure === 'abandoned')
        .map(({ id, failure }) => `sold, then failed by us: report ${id} (${failure})`),
      ...failed
        // Nothing of a run that was terminated can write its attributes.
        .filter(({ id }) => !inTemporal.has(id) && !terminated.has(id))
        .map(
          ({ id, failure, workflowId }) =>
            `report ${id} failed in PostgreSQL, and is not found as failed in Temporal (${failure}, ${workflowId})`,
        ),
      ...[...inTemporal]
        .filter(id => !failedIds.has(id))
        .map(id => `report ${id} failed in Temporal, and not in PostgreSQL`),
    ],
    failedInPostgres: failed.length,
    failedInTemporal: inTemporal.size,
    terminated: failed.filter(({ id }) => !inTemporal.has(id) && terminated.has(id)).length,
    failedByUs,
  };
}

async function failedRuns({ temporal }: Deployment): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  const query = 'WorkflowType = "councilReport" AND ReportStatus = "failed"';
  for await (const { typedSearchAttributes } of temporal.workflow.list({ query })) {
    const id = typedSearchAttributes.get(searchAttributes.ReportId);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
