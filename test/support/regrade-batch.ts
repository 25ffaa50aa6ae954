import { WorkflowIdConflictPolicy } from '@temporalio/client';
import type { GradingSelection } from '../../council/grading.js';
import { gradingName } from '../../council/grading-name.js';
import type { GradingTerms } from '../../workflows/grading-order.js';
import type { regrade } from '../../workflows/regrade.js';
import type { TestService } from './test-service.js';

/** Starts a batch, or joins the one that is at work, as the command line does. */
export async function startBatch(
  { temporal, manifest }: TestService,
  selection: GradingSelection,
  terms: Partial<GradingTerms> = {},
) {
  return temporal.workflow.start<typeof regrade>('regrade', {
    workflowId: gradingName(selection),
    taskQueue: manifest.task_queue,
    args: [{ selection, terms: { ...manifest.grading, ...terms } }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}
