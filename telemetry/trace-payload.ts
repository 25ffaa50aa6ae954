import { type Context, context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { z } from 'zod';
import { traceHeader } from '../workflows/trace-header.js';

/** The headers with what is being traced now; as they are where nothing is. */
export function withTrace(headers: Headers): Headers {
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
