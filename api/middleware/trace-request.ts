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
import { isInternal } from '../../telemetry/metrics-page.js';
import { tracer } from '../../telemetry/tracing.js';
import type { ApiContext } from '../context.js';
import { routePattern } from '../http/route-path.js';

/** A span a request, under which all that it leads to is found, down to the calls to models. */
export function traceRequest(): RequestHandler {
  return (request, response, next) => {
    const parent = parentOf(request);
    const span = tracer().startSpan(request.method, { kind: SpanKind.SERVER }, parent);
    // One that is not sampled is only handed on.
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
 * The span that an instrumentation of HTTP has begun; else what a neighbour says it belongs to. A stranger's word is not taken: it
 * would decide what is sampled here, and could join traces that have nothing to do with each other.
 */
function parentOf(request: Request) {
  const active = context.active();
  if (trace.getSpan(active) !== undefined) return active;
  return isInternal(request) ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT;
}

/**
 * How long answers take, by the route as it is written: a path as it was asked for would be a new series for every report.
 * What met no route is one series of its own.
 */
export function measure({ metrics }: ApiContext): RequestHandler {
  return (request, response, next) => {
    const stop = metrics.httpSeconds.startTimer();
    response.once('finish', () =>
      stop({ method: request.method, route: routePattern(request), status: response.statusCode }),
    );
    next();
  };
}
