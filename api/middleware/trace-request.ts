import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import { isInternal } from '../../platform/telemetry/metrics-page.js';
import { tracer } from '../../platform/telemetry/tracing.js';
import type { ApiContext } from '../context.js';
import { routePattern } from '../http/route-path.js';

/**
 * Starts a span for each request. Everything that the request causes is below it, down to the model calls.
 */
export function traceRequest(): RequestHandler {
  return (request, response, next) => {
    const parent = parentOf(request);
    const span = tracer().startSpan(request.method, { kind: SpanKind.SERVER }, parent);
    // A span that is not sampled is only propagated.
    if (span.isRecording()) response.once('close', () => end(span, request, response));
    context.with(trace.setSpan(parent, span), next);
  };
}

function end(span: Span, request: Request, { statusCode }: Response): void {
  const route = routePattern(request);
  span.updateName(`${request.method} ${route}`);
  span.setAttributes({
    'http.request.method': request.method,
    'http.route': route,
    'http.response.status_code': statusCode,
  });
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/**
 * The span of an HTTP instrumentation, else the trace context of an internal caller. Trace headers of outside
 * callers are ignored: they would decide what is sampled, and could join unrelated traces.
 */
function parentOf(request: Request) {
  const active = context.active();
  if (trace.getSpan(active) !== undefined) return active;
  return isInternal(request) ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT;
}

/**
 * Records response times by route pattern: raw paths would create a series for every report. Requests without
 * a route share one series.
 */
export function measureRequest({ metrics }: ApiContext): RequestHandler {
  return (request, response, next) => {
    const stop = metrics.httpSeconds.startTimer();
    response.once('finish', () =>
      stop({ method: request.method, route: routePattern(request), status: response.statusCode }),
    );
    next();
  };
}
