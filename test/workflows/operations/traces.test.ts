import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const markets = createSampleEventCopies();
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const service = await useTestService({ markets });
const caller = await service.newCaller(1_000);
afterAll(async () => {
  await provider.shutdown();
  for (const api of [trace, propagation, context]) api.disable();
});

/** Buys a report and waits until it is completed. */
async function runReport(headers: Record<string, string> = {}): Promise<number> {
  const sold = await caller.buy(markets.retell('sample-fed-cut-2031'), {}, headers);
  expect(sold.status).toBe(202);
  await caller.untilEnded(sold.body.report_id);
  return sold.body.report_id;
}

async function historyOf(reportId: number): Promise<string> {
  const { workflow_id } = await service.database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  return JSON.stringify(await service.temporal.workflow.getHandle(workflow_id).fetchHistory());
}

describe('without an OpenTelemetry SDK', () => {
  test('the history of a run contains no trace', async () => {
    expect(await historyOf(await runReport())).not.toContain('_tracer-data');
  });
});

describe('with an OpenTelemetry SDK loaded before the process', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const spanId = '00f067aa0ba902b7';
  const named = (pattern: RegExp) => exporter.getFinishedSpans().filter(({ name }) => pattern.test(name));
  const parentOf = (span: ReadableSpan | undefined) =>
    exporter.getFinishedSpans().find(other => other.spanContext().spanId === span?.parentSpanContext?.spanId);

  beforeAll(async () => {
    provider.register();
    exporter.reset();
    await runReport({ traceparent: `00-${traceId}-${spanId}-01` });
    await until('the last step is exported', () => named(/^concludeReport$/).length === 1);
  });

  test('one trace reaches from the request to every call to a model', () => {
    const calls = named(/^chat /);
    expect(calls).toHaveLength(9);
    for (const call of calls) {
      expect(call.spanContext().traceId).toBe(traceId);
      const step = parentOf(call);
      expect(step?.name).toMatch(/^ask(Opinion|Review|Synthesis)$/);
      expect(parentOf(step)?.name).toBe('POST /api/reports');
    }
  });

  test('the request has the parent that its caller sent', () => {
    const [request] = named(/^POST \/api\/reports$/);
    expect(request?.parentSpanContext).toMatchObject({ traceId, spanId, isRemote: true });
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 202 });
  });

  test('a call has its model, its stage and its tokens as attributes', () => {
    const [call] = named(/^chat /);
    expect(call?.attributes).toMatchObject({
      'gen_ai.request.model': expect.stringMatching(/./),
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
      'gen_ai.usage.cache_creation.input_tokens': expect.any(Number),
      'council.stage': expect.stringMatching(/^(opinions|cross_review|synthesis)$/),
    });
  });

  test('a request through a proxy gets its own trace', async () => {
    exporter.reset();
    await caller.get('/api/credits/balance', {
      headers: { traceparent: `00-${traceId}-${spanId}-01`, 'x-forwarded-for': '203.0.113.9' },
    });
    await until('the request is exported', () => named(/^GET /).length > 0);
    expect(named(/^GET /)[0]?.spanContext().traceId).not.toBe(traceId);
  });

  test('a step that fails has the type of the error, and not its message', async () => {
    exporter.reset();
    service.simulator.setFault({ model: 'grok' }, { kind: 'http', status: 401 });
    await runReport();
    service.simulator.clearFaults();
    const failed = named(/^chat /).filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed.length).toBeGreaterThan(0);
    for (const { attributes } of failed) expect(attributes['error.type']).toBe('ProviderError');
    const exported = JSON.stringify(
      exporter
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    );
    expect(exported).not.toContain(caller.key);
    expect(exported).not.toMatch(/HTTP 401|unauthorised/);
  });
});
