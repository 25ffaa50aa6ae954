import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { MaintenanceActivities } from '../../../activities/maintenance/maintenance-activities.js';
import { type MaintenanceInput, type maintenance, runNow } from '../../../workflows/maintenance.js';
import type { TestService } from './test-service.js';

type Duties = {
  'send-usage': MaintenanceActivities['sendUsage'];
  'release-stranded-runs': MaintenanceActivities['releaseStranded'];
  'check-ledger': MaintenanceActivities['checkLedger'];
  'expire-grants': MaintenanceActivities['expireGrants'];
};

/** Runs one round of a maintenance duty, as an operator would. */
export async function runRound<Duty extends keyof Duties>(
  service: TestService,
  duty: Duty,
): Promise<Awaited<ReturnType<Duties[Duty]>>> {
  const loop = maintenanceStart(service, duty, 3_600);
  try {
    const result: unknown = await service.temporal.workflow.executeUpdateWithStart(runNow, {
      startWorkflowOperation: loop,
    });
    return result as Awaited<ReturnType<Duties[Duty]>>;
  } finally {
    await (await loop.workflowHandle()).terminate();
  }
}

/** A `maintenance` workflow with an ID of its own, so that several test files can run the same duty. */
export function maintenanceStart(
  { manifest }: TestService,
  duty: MaintenanceInput['duty'],
  everySeconds: number,
): WithStartWorkflowOperation<typeof maintenance> {
  const input = { duty, everySeconds, grading: manifest.grading, paused: null };
  return new WithStartWorkflowOperation<typeof maintenance>('maintenance', {
    workflowId: `maintenance/${duty}/${randomUUID()}`,
    taskQueue: manifest.task_queue,
    args: [input],
    memo: { input },
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
  });
}
