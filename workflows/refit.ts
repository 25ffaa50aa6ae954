import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { executeChild, ParentClosePolicy, proxyActivities, setWorkflowOptions } from '@temporalio/workflow';
import type { RefitActivities, RefitResult } from '../activities/estimate/refit-activities.js';
import { utcDay } from '../council/calendar.js';
import { refitStep, weightsFit } from './activity-options.js';
import { autoUpgrade } from './regrade.js';

const { findRefit, recordRefit } = proxyActivities<RefitActivities>(refitStep);
const { proposeWeights } = proxyActivities<RefitActivities>({
  ...weightsFit,
  summary: 'fit weights to the graded reports',
});

export interface RefitInput {
  /** The weights are learnt from what was known before this day (YYYY-MM-DD, UTC) began. */
  readonly day: string;
}

setWorkflowOptions(autoUpgrade, refit);

/**
 * Refits the weights of the estimate to the service's own graded reports, and puts the new ones in force if they are
 * better than those in force by more than noise. Otherwise it records why not. There is one refit for each day: a
 * second one returns what the first one did.
 */
export async function refit({ day }: RefitInput): Promise<RefitResult> {
  const order = { id: `refit-${day}`, cutOff: `${day}T00:00:00.000Z` };
  const recorded = await findRefit(order);
  if (recorded !== null) return recorded;
  const proposal = await proposeWeights(order);
  return recordRefit(order, proposal);
}

/** Refits the weights up to today, for the maintenance workflow. */
export async function refitToday(): Promise<RefitResult | 'already_running'> {
  const day = utcDay(new Date());
  try {
    return await executeChild(refit, {
      workflowId: `refit/${day}`,
      args: [{ day }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `Refit of the estimate's weights · ${day}`,
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_running';
    throw error;
  }
}
