import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { executeChild, ParentClosePolicy } from '@temporalio/workflow';
import { type GradingResult, gradingName } from '../council/track-record/grading.js';
import { regrade } from './regrade.js';
import type { GradingPolicy } from './regrade-input.js';

/**
 * The hourly sweep: grades what is due. A schedule puts the time into the name of what it starts; the batch itself is
 * started from here, under the name that an operator's has, so that the two never do the same at once.
 */
export async function regradeDue(terms: GradingPolicy): Promise<GradingResult | 'at_work_already'> {
  const selection = { kind: 'due' } as const;
  try {
    return await executeChild(regrade, {
      workflowId: gradingName(selection),
      args: [{ selection, terms }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: 'Grading · what is due',
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'at_work_already';
    throw error;
  }
}
