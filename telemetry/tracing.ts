import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { z } from 'zod';
import { traceHeader } from '../workflows/pass-trace-on.js';

export interface SpanOfWork {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** What it is a part of; unless told, of what is being done now. */
  readonly parent?: Context;
}

/**
 * Does the work as a span of the trace it belongs to. Costs next to nothing where nobody has put an OpenTelemetry SDK in front of
 * the process. Of an error the span keeps the name and no word: messages are for logs, which are cleaned of secrets.
 */
export async function inSpan<Result>(
  { name, kind, attributes, parent = context.active() }: SpanOfWork,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer().startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
  }
}

export const tracer = () => trace.getTracer('council-report-service');

/** The headers with what is being traced now; as they are where nothing is. */
function withTrace(headers: Headers): Headers {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  if (Object.keys(carrier).length === 0) return headers;
  return { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(carrier) };
}

/** What the headers say they belong to; nothing where they do not. */
export function traceIn(headers: Headers): Context {
  const payload = headers[traceHeader];
  if (payload === undefined) return ROOT_CONTEXT;
  const carrier = carrierShape.safeParse(defaultPayloadConverter.fromPayload(payload));
  return carrier.success ? propagation.extract(ROOT_CONTEXT, carrier.data) : ROOT_CONTEXT;
}

/** `traceparent` and, where there is one, `tracestate`, as W3C Trace Context writes them. */
const carrierShape = z.record(z.string(), z.string());

/** A run that is bought belongs to the trace of the request that bought it. */
export const carryTrace: WorkflowClientInterceptor = {
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartHeaders: withTrace(input.workflowStartHeaders) }),
};
