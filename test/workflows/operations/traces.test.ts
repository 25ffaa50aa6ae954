import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import type { TestService } from '../../support/service/test-service.js';
import { testProviderKey } from '../../support/service/worker-control.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const markets = createSampleEventCopies();
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const service = await useTestService({ markets });
const caller = await service.newCaller(1_000);
const capturing = await useTestService({ markets, capturesContent: true, researchDeadlineMs: 8_000 });
afterAll(async () => {
  await provider.shutdown();
  for (const api of [trace, propagation, context]) api.disable();
});

/** Buys a report and waits until it is completed. */
async function runReport(headers: Record<string, string> = {}, buyer = caller): Promise<number> {
  const sold = await buyer.buy(markets.retell('sample-fed-cut-2031'), {}, headers);
  expect(sold.status).toBe(202);
  await buyer.untilEnded(sold.body.report_id);
  return sold.body.report_id;
}

const named = (pattern: RegExp) => exporter.getFinishedSpans().filter(({ name }) => pattern.test(name));

/** All that a collector gets of the spans, as text. */
const exported = () =>
  JSON.stringify(
    exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );

/** Runs a report of which one member fails, and waits until its spans are exported. */
async function traceDegradedReport({ simulator }: TestService, buyer: TestCaller): Promise<number> {
  exporter.reset();
  simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 401 });
  const reportId = await runReport({}, buyer);
  simulator.clearFaults();
  await until('the last step is exported', () => named(/^concludeReport$/).length === 1);
  return reportId;
}

/** What each stored answer begins with. */
async function answersTo({ database }: TestService, reportId: number): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select left(coalesce(answer ->> 'rationale', answer ->> 'summary', answer ->> 'text',
       answer -> 'critiques' -> 0 ->> 'strengths'), 60) as said
     from stage_results where report_id = $1`,
    [reportId],
  );
  return rows.map(({ said }) => said);
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
  const parentOf = (span: ReadableSpan | undefined) =>
    exporter.getFinishedSpans().find(other => other.spanContext().spanId === span?.parentSpanContext?.spanId);

  let reportId = 0;

  beforeAll(async () => {
    provider.register();
    exporter.reset();
    reportId = await runReport({ traceparent: `00-${traceId}-${spanId}-01` });
    await until('the last step is exported', () => named(/^concludeReport$/).length === 1);
  });

  test('one trace reaches from the request to every call to a model', () => {
    const calls = named(/^chat /);
    expect(calls).toHaveLength(9);
    for (const call of calls) {
      expect(call.spanContext().traceId).toBe(traceId);
      const member = parentOf(call);
      expect(member?.name).toBe(`invoke_agent ${String(call.attributes['council.model'])}`);
      const step = parentOf(member);
      expect(step?.name).toMatch(/^ask(Opinion|Review|Synthesis)$/);
      expect(parentOf(step)?.name).toBe('POST /api/reports');
    }
  });

  test('the request has the parent that its caller sent', () => {
    const [request] = named(/^POST \/api\/reports$/);
    expect(request?.parentSpanContext).toMatchObject({ traceId, spanId, isRemote: true });
    expect(request?.attributes).toMatchObject({ 'http.response.status_code': 202 });
  });

  test('a member is an agent at each stage, in the conversation of the report', () => {
    const members = named(/^invoke_agent /);
    expect(members).toHaveLength(9);
    for (const { name, kind, attributes } of members) {
      expect(kind).toBe(SpanKind.INTERNAL);
      expect(name).toBe(`invoke_agent ${String(attributes['gen_ai.agent.name'])}`);
      expect(attributes).toMatchObject({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': String(reportId),
        'council.stage': expect.stringMatching(/^(opinions|cross_review|synthesis)$/),
      });
    }
    const providers = members.map(({ attributes }) => [
      attributes['gen_ai.agent.name'],
      attributes['gen_ai.provider.name'],
    ]);
    expect(Object.fromEntries(providers)).toEqual({
      claude: 'anthropic',
      gpt: 'openai',
      gemini: 'gcp.gemini',
      grok: 'x_ai',
    });
  });

  test('a call has what was requested and used as attributes', () => {
    for (const { kind, attributes } of named(/^chat /)) {
      expect(kind).toBe(SpanKind.CLIENT);
      expect(attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': expect.stringMatching(/^(anthropic|openai|gcp\.gemini|x_ai)$/),
        'gen_ai.request.model': expect.stringMatching(/./),
        'gen_ai.request.max_tokens': expect.any(Number),
        'gen_ai.request.reasoning.level': expect.stringMatching(/^(low|medium)$/),
        'gen_ai.output.type': 'json',
        'gen_ai.conversation.id': String(reportId),
        'gen_ai.response.model': expect.stringMatching(/./),
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
        'gen_ai.usage.cache_creation.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'council.stage': expect.stringMatching(/^(opinions|cross_review|synthesis)$/),
      });
    }
  });

  test('a call costs what is stored of it', async () => {
    const calls = named(/^chat /).map(({ attributes }) => attributes);
    const costs = calls.map(attributes => Number(attributes['council.cost_usd_micros']));
    const { rows } = await service.database.pool.query(
      'select cost_usd_micros from provider_calls where report_id = $1',
      [reportId],
    );
    const ascending = (one: number, other: number) => one - other;
    expect(costs.toSorted(ascending)).toEqual(
      rows.map(({ cost_usd_micros: micros }) => Number(micros)).toSorted(ascending),
    );
    expect(calls.map(attributes => attributes['gen_ai.usage.cost'])).toEqual(
      costs.map(micros => micros / 1_000_000),
    );
  });

  test('a request through a proxy gets its own trace', async () => {
    exporter.reset();
    await caller.get('/api/credits/balance', {
      headers: { traceparent: `00-${traceId}-${spanId}-01`, 'x-forwarded-for': '203.0.113.9' },
    });
    await until('the request is exported', () => named(/^GET /).length > 0);
    expect(named(/^GET /)[0]?.spanContext().traceId).not.toBe(traceId);
  });

  test('a step that fails has the reason of the dropout', async () => {
    await traceDegradedReport(service, caller);
    const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
    // A span ends before the one above it.
    expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      [expect.stringMatching(/^chat grok/), 'unauthorised'],
      ['invoke_agent grok', 'unauthorised'],
      ['askOpinion', 'unauthorised'],
    ]);
  });

  test('an answer that was cut off has its reason, its tokens and its cost', async () => {
    exporter.reset();
    service.simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'truncated' });
    await runReport();
    service.simulator.clearFaults();
    const cutOff = named(/^chat /).filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(cutOff).not.toEqual([]);
    for (const { attributes } of cutOff) {
      expect(attributes).toMatchObject({
        'error.type': 'invalid_answer',
        'gen_ai.response.finish_reasons': ['length'],
        'gen_ai.usage.output_tokens': expect.any(Number),
        'council.cost_usd_micros': expect.any(Number),
      });
    }
  });

  test('without the switch no span contains a prompt or an answer, a key or an error message', async () => {
    const before = service.simulator.calls.length;
    const degraded = await traceDegradedReport(service, caller);
    const text = exported();
    for (const { system, user } of service.simulator.calls.slice(before))
      for (const line of [system, user].join('\n').split('\n').filter(isTelling))
        expect(text).not.toContain(inText(line));
    const answers = await answersTo(service, degraded);
    expect(answers.length).toBeGreaterThan(5);
    for (const answer of answers) expect(text).not.toContain(inText(answer));
    expect(text).not.toMatch(/gen_ai\.(system_instructions|input\.messages|output\.messages)/);
    expectNoSecret(text, caller);
  });

  test('with the switch each call has its prompt and its answer, and no span a key or an error message', async () => {
    const buyer = await capturing.newCaller(1_000);
    const before = capturing.simulator.calls.length;
    const degraded = await traceDegradedReport(capturing, buyer);
    const calls = named(/^chat /).map(({ attributes }) => attributes);
    const prompts = calls.map(attributes => [
      contentOf(attributes['gen_ai.system_instructions']),
      contentOf(attributes['gen_ai.input.messages']),
    ]);
    const asked = capturing.simulator.calls
      .slice(before)
      .map(({ system, user }) => [
        [{ type: 'text', content: system }],
        [{ role: 'user', parts: [{ type: 'text', content: user }] }],
      ]);
    const texts = (all: unknown[]) => all.map(each => JSON.stringify(each)).toSorted();
    expect(texts(prompts)).toEqual(texts(asked));
    const answered = calls.filter(attributes => attributes['error.type'] === undefined);
    const said = answered.map(attributes => contentOf(attributes['gen_ai.output.messages']));
    for (const answer of said) {
      const parts = [{ type: 'text', content: expect.stringMatching(/./) }];
      expect(answer).toEqual([{ role: 'assistant', parts, finish_reason: 'stop' }]);
    }
    const content = said.map(([{ parts }]) => parts[0].content).join('\n');
    for (const answer of await answersTo(capturing, degraded)) expect(content).toContain(inText(answer));
    expectNoSecret(exported(), buyer);
  });

  test('a call on a key of the caller names the provider of the key, and no span has the key', async () => {
    const key = 'sk-or-a-key-of-the-caller';
    const buyer = await capturing.newCaller(1_000);
    await buyer.put('/api/provider-keys/openrouter', { key }, { as: 'session' });
    exporter.reset();
    const { body } = await buyer.buy(markets.retell('sample-fed-cut-2031'), { lane: 'byok' });
    await buyer.untilEnded(body.report_id);
    const calls = named(/^chat /);
    expect(calls).not.toEqual([]);
    for (const { attributes } of [...calls, ...named(/^invoke_agent /)]) {
      expect(attributes['gen_ai.provider.name']).toBe('openrouter');
      expect(attributes['gen_ai.request.model']).toMatch(/^[\w-]+\//);
    }
    expect(exported()).not.toContain(key);
  });
});

/** Long enough to be found only where it was copied. */
const isTelling = (line: string) => line.length > 20;

/** As it stands within JSON. */
const inText = (value: string) => JSON.stringify(value).slice(1, -1);

const contentOf = (attribute: unknown) => JSON.parse(String(attribute));

function expectNoSecret(text: string, { key, session }: TestCaller): void {
  for (const secret of [key, session, testProviderKey]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/HTTP 401|unauthorised \(|authentication_error|invalid api key/i);
}
