import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { traceHeader } from './trace-header.js';

/**
 * Hands the trace in which a run was bought on to each of its activities, unread: nothing of tracing runs in here, and a run
 * that was bought without a trace has not a byte more in its history. The bundle takes it by this name.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers[string] | undefined;
  const traced = <Input extends { readonly headers: Headers }>(input: Input): Input =>
    trace === undefined ? input : { ...input, headers: { ...input.headers, [traceHeader]: trace } };
  return {
    inbound: [
      {
        execute: (input, next) => {
          trace = input.headers[traceHeader];
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        scheduleLocalActivity: (input, next) => next(traced(input)),
      },
    ],
  };
}
