import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Context as ActivityContext } from '@temporalio/activity';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { z } from 'zod';
import { traceHeader } from '../../workflows/pass-trace-on.js';

export interface SpanOptions {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Defaults to the active context. */
  readonly parent?: Context;
  /** The code of an error of the work's own kind; null for any other. */
  readonly errorType?: (error: unknown) => string | null;
}

/**
 * Runs `work` in a span. Costs almost nothing if no OpenTelemetry SDK is loaded. The span records only the
 * code or the name of an error, because messages can contain secrets, which only logs redact.
 */
export async function inSpan<Result>(
  { name, kind, attributes, parent = context.active(), errorType = codeOf }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer().startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', errorType(error) ?? nameOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Failures of activities have one, such as why a member dropped out. */
function codeOf(error: unknown): string | null {
  return error instanceof ApplicationFailure ? (error.type ?? null) : null;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

export const tracer = () => trace.getTracer('council-report-service');

/** Adds the active trace to the headers, if there is one. */
function withTrace(headers: Headers): Headers {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  if (Object.keys(carrier).length === 0) return headers;
  return { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(carrier) };
}

/** Reads the trace context from the headers; the root context if there is none. */
function traceIn(headers: Headers): Context {
  const payload = headers[traceHeader];
  if (payload === undefined) return ROOT_CONTEXT;
  const carrier = carrierShape.safeParse(defaultPayloadConverter.fromPayload(payload));
  return carrier.success ? propagation.extract(ROOT_CONTEXT, carrier.data) : ROOT_CONTEXT;
}

/** `traceparent` and optionally `tracestate` of W3C Trace Context. */
const carrierShape = z.record(z.string(), z.string());

/** Passes the trace of the purchase request to the workflow. */
export const carryTrace: WorkflowClientInterceptor = {
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartHeaders: withTrace(input.workflowStartHeaders) }),
};

/** Records each attempt of an activity as a span in the trace of the purchase. */
export function traceActivity({ info }: ActivityContext): ActivityInterceptors {
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
