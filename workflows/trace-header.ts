/** The header in which a run and its activities carry the trace they belong to, as Temporal's own interceptors name it. */
export const traceHeader = '_tracer-data';
