import { WorkflowIdConflictPolicy } from '@temporalio/client';
import { type GradingSelection, gradingName } from '../../../record/grades/grading.js';
import type { GradingSettings } from '../../../workflows/grading-batch.js';
import type { regrade } from '../../../workflows/regrade.js';
import type { TestService } from '../service/test-service.js';

/** Starts a batch, or joins the one that is running, as the command line does. */
export async function startBatch(
  { temporal, manifest }: TestService,
  selection: GradingSelection,
  settings: Partial<GradingSettings> = {},
) {
  return temporal.workflow.start<typeof regrade>('regrade', {
    workflowId: gradingName(selection),
    taskQueue: manifest.task_queue,
    args: [{ selection, settings: { ...manifest.grading, ...settings } }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}
