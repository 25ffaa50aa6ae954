import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { secretKey } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';
import { json, useRawServers } from './raw-server.js';

const serve = useRawServers();

/** The failure of a request that gets this response from OpenRouter. */
async function failureOn(...answer: Parameters<typeof json>) {
  const { providers, requests } = await serve(json(...answer));
  const failure = await failureOf(providers.openrouter.ask(question('opinion')));
  expect(requests).toHaveLength(1);
  return failure;
}

const refused = { kind: 'refused', retryable: false };
const keyRefused = { kind: 'unauthorised', retryable: false };
const creditsSpent = { kind: 'rate_limited', retryable: false };
const limited = { kind: 'rate_limited', retryable: true };
const down = { kind: 'unavailable', retryable: true };
const gone = { kind: 'unavailable', retryable: false };

type Failure = readonly [name: string, status: number, details: object, expected: object];

const moderation = { reasons: ['violence'], flagged_input: 'abc', provider_name: 'x', model_slug: 'y' };

const failures: readonly Failure[] = [
  ['a bad request', 400, {}, gone],
  ['a bad key', 401, {}, keyRefused],
  ['no credits', 402, {}, keyRefused],
  ['a forbidden call', 403, {}, keyRefused],
  ['an unknown model', 404, {}, gone],
  ['a time-out', 408, {}, { kind: 'timed_out', retryable: true }],
  ['a conflict', 409, {}, down],
  ['a body too large', 413, {}, gone],
  ['a body that makes no sense', 422, {}, gone],
  ['a rate limit', 429, {}, { ...limited, retryAfterMs: null }],
  ['an internal error', 500, {}, down],
  ['a model that is down', 502, {}, down],
  ['no provider', 503, {}, down],
  ['a slow provider', 504, {}, down],
  ['an overload', 529, {}, down],
  ['a moderation', 403, { metadata: moderation }, refused],
  ['a moderation that only gives reasons', 403, { metadata: { reasons: ['x'] } }, refused],
  ['a moderation with only the text', 403, { metadata: { flagged_input: 'x' } }, refused],
  ['a guardrail', 403, { metadata: { patterns: ['ignore all'] } }, refused],
  ['a moderation that flagged nothing', 403, { metadata: { reasons: [], flagged_input: '' } }, keyRefused],
  ['a content policy', 400, { metadata: { error_type: 'content_policy_violation' } }, refused],
  ['a refusal', 400, { metadata: { error_type: 'refusal' } }, refused],
  ['a prompt that is malformed', 400, { metadata: { error_type: 'invalid_prompt' } }, gone],
  ['spent credits', 402, { metadata: { limit_source: 'openrouter_credits' } }, creditsSpent],
  ['a spent key', 403, { metadata: { limit_source: 'openrouter_key_limit' } }, creditsSpent],
  [
    'credits reserved by other calls',
    402,
    { metadata: { limit_source: 'openrouter_in_flight_budget' } },
    limited,
  ],
  ['an upstream’s limit', 429, { metadata: { limit_source: 'upstream_provider_shared_pool' } }, limited],
  ['a limit with a delay', 429, { availability: { retry_after: 40 } }, { ...limited, retryAfterMs: 40_000 }],
  [
    'a limit with a bad delay',
    429,
    { availability: { retry_after: -1 } },
    { ...limited, retryAfterMs: null },
  ],
  ['metadata of no known kind', 503, { metadata: 'x', availability: [] }, down],
];

const partial = { message: { role: 'assistant', content: '{"a":' }, finish_reason: 'error' };
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
const paid = { modelId: 'anthropic/x', inputTokens: 9, outputTokens: 5 };

describe('a failure at OpenRouter', () => {
  test.each(failures)(
    '(%s) is classified alike as HTTP status, in the body and in a choice',
    async (...row) => {
      const [, status, details, expected] = row;
      const error = { code: status, message: 'Simulated.', ...details };
      const told = { ...expected, status };
      expect(await failureOn(status, { error })).toMatchObject({ ...told, usage: null });
      expect(await failureOn(200, { error })).toMatchObject({ ...told, usage: null });
      const body = { model: 'anthropic/x', choices: [{ ...partial, error }], usage };
      expect(await failureOn(200, body)).toMatchObject({ ...told, usage: paid });
    },
  );

  test.each([
    ['a code in digits', { code: '429' }, { ...limited, status: 429 }],
    ['the status under another name', { error_type: 'x', http_status: 503 }, { ...down, status: 503 }],
  ])('with status 200 is detected by %s', async (_, error, expected) => {
    expect(await failureOn(200, { error: { message: 'x', ...error } })).toMatchObject(expected);
  });

  test.each([{ message: 'x' }, { code: 200 }, { code: 'server' }, { code: 4_290 }, { code: null }, 'x', []])(
    '(%j) without a status is an invalid answer, in the body and in a choice',
    async error => {
      const expected = { kind: 'invalid_answer', retryable: false, status: 200 };
      expect(await failureOn(200, { error })).toMatchObject({ ...expected, usage: null });
      const choices = [{ message: { content: '{}' }, finish_reason: 'stop', error }];
      expect(await failureOn(200, { choices, usage, model: 'anthropic/x' })).toMatchObject({
        ...expected,
        usage: paid,
      });
    },
  );

  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '250' }, 250],
    [{}, 40_000],
  ])('uses the delay of the header %j, or else that of the body', async (headers, retryAfterMs) => {
    const error = { code: 429, message: 'x', availability: { retry_after: 40 } };
    expect(await failureOn(429, { error }, headers)).toMatchObject({ ...limited, retryAfterMs });
    const reserved = { code: 402, metadata: { limit_source: 'openrouter_in_flight_budget' } };
    const failure = await failureOn(
      402,
      { error: { ...reserved, availability: { retry_after: 40 } } },
      headers,
    );
    expect(failure).toMatchObject({ ...limited, status: 402, retryAfterMs });
  });

  test.each([200, 403])('with status %i contains neither the key nor the flagged text', async status => {
    const metadata = { ...moderation, flagged_input: `flagged ${secretKey}` };
    const error = { code: 403, message: `flagged ${secretKey}`, metadata };
    const failure = await failureOn(status, { error });
    expect(failure.message).toBe('refused (HTTP 403)');
    expect(inspect(failure, { depth: null, showHidden: true })).not.toMatch(/flagged|secret/);
    expect(failure.cause).toBeUndefined();
  });
});
