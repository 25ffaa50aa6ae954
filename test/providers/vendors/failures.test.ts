import { expect, test } from '@jest/globals';
import { classifyHttpFailure } from '../../../providers/vendors/failures.js';

/** What a status alone means is shown over HTTP, for every vendor. */
test.each([
  [429, 'insufficient_quota', 'rate_limited', false],
  [403, 'insufficient_quota', 'rate_limited', false],
  [429, 'billing_hard_limit_reached', 'rate_limited', false],
  [400, 'API_KEY_INVALID', 'unauthorised', false],
  [400, 'invalid_api_key', 'unauthorised', false],
  [400, 'content_filter', 'refused', false],
  [403, 'content_filter', 'refused', false],
  [400, 'invalid_prompt', 'refused', false],
  [402, 'budget_in_flight', 'rate_limited', true],
  [503, 'of no known meaning', 'unavailable', true],
])('a failure with status %i and the code %s is %s, retryable: %p', (status, code, kind, retryable) => {
  const failure = classifyHttpFailure({ headers: null, nowMs: 0, status, code });
  expect(failure).toMatchObject({ kind, retryable, retryAfterMs: null, usage: null });
});
