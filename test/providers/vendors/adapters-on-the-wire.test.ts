import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { giveUpAfterMs, until } from '../../support/until.js';
import { adapters, secretKey } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';
import { goodBody, json, startRawServer } from './raw-server.js';

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

async function serve(answer: RequestListener) {
  const server = await startRawServer(answer);
  stop = server.close;
  return server;
}

describe.each(adapters)('%s', adapter => {
  test('counts all billed tokens, including hidden reasoning', async () => {
    const { providers } = await serve(json(200, goodBody(adapter, '{"a":1}')));
    expect(await providers[adapter].ask(question('opinion'))).toEqual({
      text: '{"a":1}',
      modelId: `${adapter}-x`,
      inputTokens: 9,
      outputTokens: 5,
    });
  });

  test.each([
    ['null', null],
    ['a text', 'Bad gateway'],
    ['an empty object', {}],
    ['an error with status 200', { error: { message: 'x' } }],
  ])('treats a body that is %s as an invalid answer', async (_, body) => {
    const { providers, requests } = await serve(json(200, body));
    expect(await failureOf(providers[adapter].ask(question('opinion')))).toMatchObject({
      kind: 'invalid_answer',
      retryable: false,
      unreported: true,
    });
    expect(requests).toHaveLength(1);
  });

  test('treats an HTML body with a JSON content type as an invalid answer', async () => {
    const { providers } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html></html>');
    });
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    expect(failure).toMatchObject({ kind: 'invalid_answer', retryable: false });
  });

  test('marks a connection that broke in the middle of the body as retryable', async () => {
    const { providers } = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"model":', () => request.socket.resetAndDestroy());
    });
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true, unreported: true });
  });

  test('may have to be paid for, unless no connection was made; only Google’s SDK hides which', async () => {
    const { providers, close } = await serve(json(200, {}));
    await close();
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    const unreported = adapter === 'gemini';
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true, unreported });
  });

  test('keeps its key and the vendor’s text out of the error', async () => {
    const words = { message: `Incorrect key ${secretKey}`, code: null, type: 'x', status: 'x', details: [] };
    const { providers } = await serve(json(401, { type: 'error', error: words }, { 'x-echo': secretKey }));
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    expect(failure.message).toBe('unauthorised (HTTP 401)');
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain(secretKey);
  });

  test('does not retry an unreachable server on its own', async () => {
    const server = await serve(json(200, {}));
    await server.close();
    const failure = await failureOf(server.providers[adapter].ask(question('opinion')));
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true, status: null });
  });
});

/** All at once, because each waits for the whole time-out. */
test('every adapter times out on a body that never ends, and closes the connection', async () => {
  await Promise.all(
    adapters.map(async adapter => {
      const { providers, requests, close } = await startRawServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      });
      const failure = await failureOf(
        providers[adapter].ask(question('opinion', { timeoutMs: giveUpAfterMs })),
      );
      expect(failure).toMatchObject({ kind: 'timed_out', retryable: true, status: null });
      expect(requests).toHaveLength(1);
      await until('the connection was closed', () => requests[0]?.socket.destroyed === true);
      await close();
    }),
  );
});

describe.each(['gpt', 'grok', 'claude', 'openrouter'] as const)('%s', adapter => {
  test.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'soon' }, null],
  ])('reports the delay of %p', async (headers, retryAfterMs) => {
    const { providers, requests } = await serve(
      json(429, { error: {} }, { ...headers, 'x-should-retry': 'true' }),
    );
    expect(await failureOf(providers[adapter].ask(question('opinion')))).toMatchObject({ retryAfterMs });
    expect(requests).toHaveLength(1);
  });

  test('passes on a date as a time from now', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { providers } = await serve(json(503, { error: {} }, { 'retry-after': date }));
    const { retryAfterMs } = await failureOf(providers[adapter].ask(question('opinion')));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test('does not send its key to the target of a redirect', async () => {
    const elsewhere = await startRawServer(json(200, goodBody(adapter, '{}')));
    const { providers } = await serve((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/` }).end();
    });
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: false, status: 307 });
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });
});

describe('vendor-specific behaviour', () => {
  test.each([
    ['a bad key', 400, 'Incorrect API key provided: sk***ef.', 'unauthorised'],
    ['spent credits', 429, 'Your team has either used all available credits or reached its…', 'rate_limited'],
    ['spent credits, the other way', 403, 'Your team doesn’t have any credits yet.', 'rate_limited'],
    ['a safety check', 403, 'Content violates usage guidelines. Failed check: X', 'refused'],
  ])('grok: %s is plain text and not retryable', async (_, status, error, kind) => {
    const { providers } = await serve(json(status, { code: 'The caller did something', error }));
    expect(await failureOf(providers.grok.ask(question('opinion')))).toMatchObject({
      kind,
      retryable: false,
    });
  });

  test.each([
    ['Your credit balance is too low to access the Anthropic API.', 'rate_limited'],
    ['You have reached your specified API usage limits.', 'rate_limited'],
    ['Output blocked by content filtering policy', 'refused'],
    ['max_tokens: too large', 'unavailable'],
  ])('claude: “%s” is distinguished from other invalid requests', async (message, kind) => {
    const { providers } = await serve(
      json(400, { type: 'error', error: { type: 'invalid_request_error', message } }),
    );
    expect(await failureOf(providers.claude.ask(question('opinion')))).toMatchObject({
      kind,
      retryable: false,
    });
  });

  test.each(['max_tokens', 'model_context_window_exceeded', 'pause_turn', 'tool_use'])(
    'claude: an answer with stop reason %s is invalid',
    async stop_reason => {
      const { providers } = await serve(json(200, { ...Object(goodBody('claude', '{}')), stop_reason }));
      expect(await failureOf(providers.claude.ask(question('opinion')))).toMatchObject({
        kind: 'invalid_answer',
      });
    },
  );

  test.each([
    ['SAFETY', 'refused'],
    ['RECITATION', 'refused'],
    ['PROHIBITED_CONTENT', 'refused'],
    ['SPII', 'refused'],
    ['MAX_TOKENS', 'invalid_answer'],
    ['OTHER', 'invalid_answer'],
  ])('gemini: an answer with finish reason %s is %s', async (finishReason, kind) => {
    const candidates = [{ content: { parts: [{ text: '{}' }] }, finishReason }];
    const { providers } = await serve(json(200, { candidates }));
    expect(await failureOf(providers.gemini.ask(question('opinion')))).toMatchObject({
      kind,
      retryable: false,
    });
  });

  test('gemini: a bad key is 400 and classified as unauthorised', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const { providers } = await serve(json(400, { error: { code: 400, message: 'bad', details } }));
    expect(await failureOf(providers.gemini.ask(question('opinion')))).toMatchObject({
      kind: 'unauthorised',
      retryable: false,
      status: 400,
    });
  });

  test('gemini: a per-minute quota is retryable, a daily quota is not', async () => {
    let quotaId = 'GenerateRequestsPerMinutePerProjectPerModel';
    const { providers } = await serve((request, response) => {
      const details = [{ violations: [{ quotaId }] }, { retryDelay: '17.5s' }];
      json(429, { error: { code: 429, message: 'quota', details } })(request, response);
    });
    expect(await failureOf(providers.gemini.ask(question('opinion')))).toMatchObject({
      kind: 'rate_limited',
      retryable: true,
      retryAfterMs: 17_500,
    });
    quotaId = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier';
    const failure = await failureOf(providers.gemini.ask(question('opinion')));
    expect(failure).toMatchObject({ kind: 'rate_limited', retryable: false });
  });
});
