import { type WorkflowDefinitionOptions, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  continueAsNew,
  executeChild,
  ParentClosePolicy,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { type GradingResult, gradingName } from '../record/grades/grading.js';
import { gradingProgress } from './batch-progress.js';
import { GradingBatch, type GradingSettings, type RegradeInput } from './grading-batch.js';

/**
 * For workflows that outlive a deployment: they move to the current version with their next workflow task. The server
 * rejects a versioning behavior from a worker without a deployment version.
 */
export function autoUpgrade(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}

setWorkflowOptions(autoUpgrade, regrade);

/**
 * Grades a selection of reports. First the market is asked, page by page, how their events ended; then the reports
 * are graded, several pages at the same time; then the published figures are refreshed. A page or a report that fails
 * is named in the result and does not stop the others. A long batch continues as new before its history grows long.
 */
export async function regrade(input: RegradeInput): Promise<GradingResult> {
  const batch = new GradingBatch(input);
  setHandler(gradingProgress, () => batch.progress.progress(), { description: 'How far the batch is.' });
  const isDone = (await batch.resolveEvents()) && (await batch.gradeReports());
  if (!isDone) return continueAsNew<typeof regrade>({ ...input, from: batch.progress.state });
  await batch.refreshRecord();
  return batch.progress.result();
}

/**
 * Grades what is due, for the maintenance workflow. The batch has the same workflow ID as one that an operator
 * starts, so that the two never run at the same time.
 */
export async function regradeDue(settings: GradingSettings): Promise<GradingResult | 'already_running'> {
  const selection = { kind: 'due' } as const;
  try {
    return await executeChild(regrade, {
      workflowId: gradingName(selection),
      args: [{ selection, settings }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: 'Grading · due reports',
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_running';
    throw error;
  }
}
