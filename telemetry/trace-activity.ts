import { SpanKind } from '@opentelemetry/api';
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { inSpan, traceIn } from './tracing.js';

/** Records each attempt of an activity as a span in the trace of the purchase. */
export function traceActivity({ info }: Context): ActivityInterceptors {
  const { activityType, attempt, workflowExecution } = info;
  const attributes = {
    attempt,
    temporalWorkflowId: workflowExecution?.workflowId ?? '',
    temporalRunId: workflowExecution?.runId ?? '',
  };
  return {
    inbound: {
      execute: (input, next) =>
        inSpan(
          { name: activityType, kind: SpanKind.CONSUMER, attributes, parent: traceIn(input.headers) },
          () => next(input),
        ),
    },
  };
}
