import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { MaintenanceActivities } from '../../../activities/maintenance/maintenance-activities.js';
import { type MaintenanceInput, type maintenance, runNow } from '../../../workflows/maintenance.js';
import type { refitToday } from '../../../workflows/refit.js';
import type { regradeDue } from '../../../workflows/regrade.js';
import type { TestService } from './test-service.js';

type Duties = {
  'send-usage': MaintenanceActivities['sendUsage'];
  'compare-usage': MaintenanceActivities['compareUsage'];
  'fulfil-checkouts': MaintenanceActivities['fulfilCheckouts'];
  'release-stranded-runs': MaintenanceActivities['releaseStranded'];
  'check-ledger': MaintenanceActivities['checkLedger'];
  'expire-grants': MaintenanceActivities['expireGrants'];
  'stamp-record': MaintenanceActivities['stampRecord'];
  'fill-kalshi-index': MaintenanceActivities['fillKalshiIndex'];
  prune: MaintenanceActivities['prune'];
  'regrade-due': typeof regradeDue;
  'refit-weights': typeof refitToday;
};

/** Runs one round of a maintenance duty, as an operator would. */
export async function runRound<Duty extends keyof Duties>(
  service: TestService,
  duty: Duty,
): Promise<Awaited<ReturnType<Duties[Duty]>>> {
  const { workflow } = service.temporal;
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof maintenance>('maintenance', {
    ...maintenanceOptions(service, duty, 3_600),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
  });
  const result: unknown = await workflow.executeUpdateWithStart(runNow, { startWorkflowOperation });
  await (await startWorkflowOperation.workflowHandle()).terminate();
  return result as Awaited<ReturnType<Duties[Duty]>>;
}

/** How a `maintenance` workflow is started, with an ID of its own: several test files run the same duty. */
export function maintenanceOptions(
  { manifest }: Pick<TestService, 'manifest'>,
  duty: MaintenanceInput['duty'],
  everySeconds: number,
) {
  const input: MaintenanceInput = { duty, everySeconds, grading: manifest.grading, paused: null };
  const args: [MaintenanceInput] = [input];
  return {
    workflowId: `maintenance/${duty}/${randomUUID()}`,
    taskQueue: manifest.task_queue,
    args,
    memo: { input },
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  } as const;
}
