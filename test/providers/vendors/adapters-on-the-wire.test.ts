import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { adapters } from '../catalogue.js';
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

  test('may have to be paid for, unless no connection was made; only Google’s SDK hides which', async () => {
    const { providers, close } = await serve(json(200, {}));
    await close();
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    const unreported = adapter === 'gemini';
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true, unreported });
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
