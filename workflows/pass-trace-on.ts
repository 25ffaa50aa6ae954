import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';

/** The header that carries the trace of a run and its activities; Temporal's own interceptors use the same name. */
export const traceHeader = '_tracer-data';

/**
 * Copies the trace that a run was started with into the header of each of its activities. A run without a trace gets
 * no header. The bundle finds this function by its name.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers[string] | undefined;
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
        scheduleActivity: (input, next) =>
          next(
            trace === undefined ? input : { ...input, headers: { ...input.headers, [traceHeader]: trace } },
          ),
      },
    ],
  };
}
