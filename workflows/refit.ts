import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { executeChild, ParentClosePolicy, proxyActivities, setWorkflowOptions } from '@temporalio/workflow';
import type { RefitActivities, RefitResult } from '../activities/estimate/refit-activities.js';
import { utcDay } from '../council/calendar.js';
import { refitStep, weightsFit } from './activity-options.js';
import { autoUpgrade } from './regrade.js';

const { findRefit, recordRefit } = proxyActivities<RefitActivities>(refitStep);
const { proposeWeights } = proxyActivities<RefitActivities>({
  ...weightsFit,
  summary: 'compare the challengers, and fit the next one',
});

export interface RefitInput {
  /** It knows what was known before this day (YYYY-MM-DD, UTC) began. */
  readonly day: string;
}

setWorkflowOptions(autoUpgrade, refit);

/**
 * Refits the weights of the estimate: puts the frozen challenger in force if such challengers have predicted the
 * service's own reports better than the weights in force, and otherwise freezes the next one (`refitWeights`). There is
 * one refit for each day: a second one returns what the first one did.
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
