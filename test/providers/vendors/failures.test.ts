import { describe, expect, test } from '@jest/globals';
import { classifyHttpFailure } from '../../../providers/vendors/failures.js';

const plain = { headers: null, code: null, nowMs: 0 };

/** What a status alone means is shown over HTTP, for every vendor. */
describe('the status of a failed call', () => {
  test.each([
    [429, 'insufficient_quota', 'rate_limited'],
    [403, 'insufficient_quota', 'rate_limited'],
    [429, 'billing_hard_limit_reached', 'rate_limited'],
    [400, 'API_KEY_INVALID', 'unauthorised'],
    [400, 'invalid_api_key', 'unauthorised'],
    [400, 'content_filter', 'refused'],
    [403, 'content_filter', 'refused'],
    [400, 'invalid_prompt', 'refused'],
  ])('%i with the code %s is %s and not retryable', (status, code, kind) => {
    expect(classifyHttpFailure({ ...plain, status, code })).toMatchObject({ kind, retryable: false });
  });

  test('credits reserved by running calls are retryable', () => {
    const headers = new Headers({ 'retry-after': '3' });
    const failure = classifyHttpFailure({ ...plain, headers, status: 402, code: 'budget_in_flight' });
    expect(failure).toMatchObject({ kind: 'rate_limited', retryable: true, retryAfterMs: 3_000 });
  });

  test('tokens billed before the failure are reported', () => {
    const usage = { modelId: 'x', inputTokens: 9, outputTokens: 5 };
    expect(classifyHttpFailure({ ...plain, status: 502, usage })).toMatchObject({ usage });
    expect(classifyHttpFailure({ ...plain, status: 502 }).usage).toBeNull();
  });

  test('an unknown code has no effect', () => {
    expect(classifyHttpFailure({ ...plain, status: 503, code: 'overloaded' })).toMatchObject({
      kind: 'unavailable',
      retryable: true,
    });
  });

  test('the vendor’s requested delay is reported', () => {
    const headers = new Headers({ 'retry-after': '30' });
    expect(classifyHttpFailure({ ...plain, headers, status: 429 }).retryAfterMs).toBe(30_000);
    expect(classifyHttpFailure({ ...plain, status: 429, retryDelay: '7s' }).retryAfterMs).toBe(7_000);
    expect(classifyHttpFailure({ ...plain, status: 429 }).retryAfterMs).toBeNull();
  });
});
