import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

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
