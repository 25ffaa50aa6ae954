import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withTrace } from './trace-payload.js';

/** A run that is bought belongs to the trace of the request that bought it. */
export const carryTrace: WorkflowClientInterceptor = {
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartHeaders: withTrace(input.workflowStartHeaders) }),
};
