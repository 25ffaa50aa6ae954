import { compareEnds } from '../../support/compare-ends.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Books, ReportRow } from './books.js';

export interface EndCheck {
  readonly faults: readonly string[];
  /** Reports that failed as `internal` or `abandoned`, without those whose runs an operator terminated. */
  readonly failedByUs: readonly ReportRow[];
}

/**
 * Every report ended in Temporal as in PostgreSQL. No report is `abandoned`, unless an operator terminated its run.
 */
export async function checkEnds(deployment: Deployment, { reports }: Books): Promise<EndCheck> {
  const { database, temporal, terminated } = deployment;
  const failedByUs = reports.filter(
    ({ id, failure }) => (failure === 'internal' || failure === 'abandoned') && !terminated.has(id),
  );
  const differences = await compareEnds(database.db, temporal);
  return {
    faults: [
      ...failedByUs
        .filter(({ failure }) => failure === 'abandoned')
        .map(({ id, failure }) => `sold, then failed by us: report ${id} (${failure})`),
      // A run may be terminated between the storage of its report and its own end.
      ...differences.filter(each => !terminated.has(Number(/^report (\d+) is /.exec(each)?.[1]))),
    ],
    failedByUs,
  };
}
