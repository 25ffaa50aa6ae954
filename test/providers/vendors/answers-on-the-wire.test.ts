import { describe, expect, test } from '@jest/globals';
import { type Adapter, adapters, modelIdOf } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';
import { goodBody, json, useRawServers } from './raw-server.js';

const serve = useRawServers();

/** The failure of a request that gets this response body. */
async function failureOn(adapter: Adapter, body: unknown, status = 200) {
  const { providers } = await serve(json(status, body));
  return failureOf(providers[adapter].ask(question('opinion')));
}

type Ending = readonly [name: string, kind: 'refused' | 'invalid_answer', changes: object];

function choice(finish_reason: string, content: string | null, refusal: string | null = null) {
  return { choices: [{ message: { content, refusal }, finish_reason }] };
}

function candidate(finishReason: string, ...texts: readonly string[]) {
  return { candidates: [{ content: { parts: texts.map(text => ({ text })) }, finishReason }] };
}

const openAiEndings: readonly Ending[] = [
  ['a refusal', 'refused', choice('stop', null, 'I cannot help with that.')],
  ['a filtered text', 'refused', choice('content_filter', '{"a":')],
  ['a text cut off', 'invalid_answer', choice('length', '{"a":')],
  ['no text', 'invalid_answer', choice('stop', '')],
  ['no text left by hidden reasoning', 'invalid_answer', choice('length', null)],
];

const endings: Readonly<Record<Adapter, readonly Ending[]>> = {
  gpt: openAiEndings,
  grok: openAiEndings,
  openrouter: [...openAiEndings, ['a text broken off', 'invalid_answer', choice('error', '{"a":')]],
  claude: [
    ['a refusal', 'refused', { stop_reason: 'refusal', content: [] }],
    ['a text cut off', 'invalid_answer', { stop_reason: 'max_tokens' }],
    ['a full context window', 'invalid_answer', { stop_reason: 'model_context_window_exceeded' }],
    ['a pause', 'invalid_answer', { stop_reason: 'pause_turn' }],
    ['a call of a tool', 'invalid_answer', { stop_reason: 'tool_use' }],
    ['no text', 'invalid_answer', { content: [] }],
  ],
  gemini: [
    ['a blocked prompt', 'refused', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    ['a filtered text', 'refused', candidate('SAFETY', '{"a":')],
    ['a recitation', 'refused', candidate('RECITATION')],
    ['prohibited content', 'refused', candidate('PROHIBITED_CONTENT', '{}')],
    ['personal data', 'refused', candidate('SPII', '{}')],
    ['an end for another reason', 'invalid_answer', candidate('OTHER', '{}')],
    ['a text cut off', 'invalid_answer', candidate('MAX_TOKENS', '{"a":')],
    ['no text', 'invalid_answer', candidate('STOP')],
    ['no candidate', 'invalid_answer', { candidates: [] }],
  ],
};

describe.each(adapters)('%s', adapter => {
  test('counts all billed tokens, including hidden reasoning', async () => {
    const { providers } = await serve(json(200, goodBody(adapter, '{"a":1}')));
    const counted = { modelId: `${adapter}-x`, inputTokens: 9, outputTokens: 5 };
    expect(await providers[adapter].ask(question('opinion'))).toEqual({ text: '{"a":1}', ...counted });
  });

  test.each(endings[adapter])('reports the billed tokens of %s', async (_, kind, changes) => {
    const failure = await failureOn(adapter, { ...Object(goodBody(adapter, '{}')), ...changes });
    const usage = { modelId: `${adapter}-x`, inputTokens: 9, outputTokens: 5 };
    expect(failure).toMatchObject({ kind, retryable: false, status: 200, usage });
  });

  test.each([
    ['null', null],
    ['a text', 'Bad gateway'],
    ['an empty list', []],
    ['an error', { error: { message: 'x' } }],
  ])('reports no tokens for a body that is %s', async (_, body) => {
    expect(await failureOn(adapter, body)).toMatchObject({ kind: 'invalid_answer', usage: null });
  });

  test('reports no tokens for an HTTP error, even if it contains an answer', async () => {
    expect(await failureOn(adapter, goodBody(adapter, '{}'), 500)).toMatchObject({ usage: null });
  });
});

test('a failed call may have to be paid for, unless no connection was made; only Google’s SDK hides which', async () => {
  const { providers, close } = await serve(json(200, {}));
  await close();
  for (const adapter of adapters) {
    const failure = await failureOf(providers[adapter].ask(question('opinion')));
    const unreported = adapter === 'gemini';
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true, unreported });
  }
});

const anthropicError = (message: string) => {
  return { type: 'error', error: { type: 'invalid_request_error', message } };
};
const xaiError = (error: string) => ({ code: 'The caller did something', error });
const googleError = (code: number, ...details: object[]) => ({ error: { code, message: 'bad', details } });
const badKey = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
const quota = (quotaId: string) => [{ violations: [{ quotaId }] }, { retryDelay: '17.5s' }];
const perMinute = quota('GenerateRequestsPerMinutePerProjectPerModel');
const perDay = quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier');
const allUsed = 'Your team has either used all available credits or reached its…';
const unsafe = 'Content violates usage guidelines. Failed check: X';

describe('vendor-specific behaviour', () => {
  test.each<[Adapter, string, number, object, string]>([
    ['grok', 'a bad key', 400, xaiError('Incorrect API key provided: sk***ef.'), 'unauthorised'],
    ['grok', 'spent credits', 429, xaiError(allUsed), 'rate_limited'],
    ['grok', 'no credits', 403, xaiError('Your team doesn’t have any credits yet.'), 'rate_limited'],
    ['grok', 'a safety check', 403, xaiError(unsafe), 'refused'],
    [
      'claude',
      'spent credits',
      400,
      anthropicError('Your credit balance is too low to access the Anthropic API.'),
      'rate_limited',
    ],
    [
      'claude',
      'a spent limit',
      400,
      anthropicError('You have reached your specified API usage limits.'),
      'rate_limited',
    ],
    ['claude', 'a filter', 400, anthropicError('Output blocked by content filtering policy'), 'refused'],
    ['claude', 'another bad request', 400, anthropicError('max_tokens: too large'), 'unavailable'],
    ['gemini', 'a bad key', 400, googleError(400, badKey), 'unauthorised'],
    ['gemini', 'a spent daily quota', 429, googleError(429, ...perDay), 'rate_limited'],
  ])('%s: the body says %s, which is not retryable', async (adapter, _, status, body, kind) => {
    expect(await failureOn(adapter, body, status)).toMatchObject({ kind, retryable: false, status });
  });

  test('gemini: a spent quota of a minute is retryable, after the delay in the body', async () => {
    const limited = { kind: 'rate_limited', retryable: true, retryAfterMs: 17_500 };
    expect(await failureOn('gemini', googleError(429, ...perMinute), 429)).toMatchObject(limited);
  });

  test.each(['gpt', 'grok'] as const)('%s: a refusal without usage reports no tokens', async adapter => {
    expect(await failureOn(adapter, choice('stop', null, 'No.'))).toMatchObject({
      kind: 'refused',
      usage: null,
    });
  });

  test('gemini: a blocked prompt is billed for the prompt only, or not at all', async () => {
    const promptFeedback = { blockReason: 'SAFETY' };
    expect(await failureOn('gemini', { promptFeedback })).toMatchObject({ kind: 'refused', usage: null });
    const { usage } = await failureOn('gemini', { promptFeedback, usageMetadata: { promptTokenCount: 9 } });
    expect(usage).toEqual({ modelId: modelIdOf('gemini'), inputTokens: 9, outputTokens: 0 });
  });
});
