import { types } from 'node:util';
import { ZodError } from 'zod';
import type { DropoutKind } from '../../council/deliberation/members.js';
import { parseRetryAfter } from '../../net/retry-after.js';
import { type ModelUsage, ProviderError } from '../model-provider.js';

export interface HttpFailure {
  readonly status: number;
  /** Null where the SDK hides them (Gemini). */
  readonly headers: Pick<Headers, 'get'> | null;
  /** The vendor's own error code or type, or the one that `code-in-complaint` read from its words. */
  readonly code: string | null;
  /** A delay asked for in the body: Gemini's `RetryInfo.retryDelay`, OpenRouter's `retry_after`. */
  readonly retryDelay?: string | null;
  /** What was paid before it failed, where the body tells. */
  readonly usage?: ModelUsage | null;
  /** Epoch milliseconds, for a `Retry-After` that is a date. */
  readonly nowMs: number;
}

/** What an HTTP answer other than 2xx means to us. The one table of retried and not retried statuses. */
export function classifyHttpFailure(failure: HttpFailure): ProviderError {
  const retryAfterMs = parseRetryAfter(
    {
      retryAfterMs: failure.headers?.get('retry-after-ms') ?? null,
      retryAfter: failure.headers?.get('retry-after') ?? null,
      retryDelay: failure.retryDelay ?? null,
    },
    failure.nowMs,
  );
  const { status, usage = null } = failure;
  return new ProviderError({ ...verdictOf(failure), retryAfterMs, status, usage });
}

type Verdict = { readonly kind: DropoutKind; readonly retryable: boolean };

/** The code decides before the status: the vendors use 400, 403 and 429 for more than one thing. */
function verdictOf({ status, code }: HttpFailure): Verdict {
  return (code === null ? undefined : byCode.get(code)) ?? byStatus(status);
}

const badKey: Verdict = { kind: 'unauthorised', retryable: false };
const quotaExhausted: Verdict = { kind: 'rate_limited', retryable: false };
const budgetInFlight: Verdict = { kind: 'rate_limited', retryable: true };
const contentFiltered: Verdict = { kind: 'refused', retryable: false };

const byCode: ReadonlyMap<string, Verdict> = new Map([
  ['invalid_api_key', badKey],
  ['API_KEY_INVALID', badKey],
  ['insufficient_quota', quotaExhausted],
  ['billing_hard_limit_reached', quotaExhausted],
  ['billing_not_active', quotaExhausted],
  ['budget_in_flight', budgetInFlight],
  ['content_filter', contentFiltered],
  ['content_policy_violation', contentFiltered],
  ['invalid_prompt', contentFiltered],
]);

function byStatus(status: number): Verdict {
  switch (status) {
    case 401:
    case 402:
    case 403:
      return badKey;
    case 408:
      return { kind: 'timed_out', retryable: true };
    case 409:
      return { kind: 'unavailable', retryable: true };
    case 429:
      return { kind: 'rate_limited', retryable: true };
    default:
      return { kind: 'unavailable', retryable: status >= 500 };
  }
}

/**
 * What a failure means that is neither an HTTP status nor a connection error the SDK knows by name: a body that is
 * not JSON or not the vendor's format, or a connection that broke while the body came in.
 */
export function classifyBrokenExchange(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof ZodError || nameOf(error) === 'SyntaxError')
    return unusableAnswer('invalid_answer', null);
  return new ProviderError({ kind: 'unavailable', retryable: isBrokenConnection(error) });
}

/** `fetch` says "terminated" or "fetch failed" as a TypeError and puts the socket's error into its cause. */
function isBrokenConnection(error: unknown): boolean {
  return nameOf(error) === 'TypeError' && types.isNativeError(error) && error.cause !== undefined;
}

/** By name, not by `instanceof`: `fetch` belongs to another realm under some test runners. */
function nameOf(error: unknown): string | null {
  return types.isNativeError(error) ? error.name : null;
}

/**
 * The error code hidden in a vendor's words, for the errors that carry no code of their own: xAI answers a bad key
 * with 400, spent credits with 403 or 429 and a safety check with 403, all as bare text; Anthropic calls a spent
 * balance and a filtered output `invalid_request_error`. The words themselves go no further than this.
 *
 * @returns A code that `classify-http-failure` knows, or null.
 */
export function codeInComplaint(text: string): string | null {
  return complaints.find(([words]) => words.test(text))?.[1] ?? null;
}

const complaints: readonly (readonly [words: RegExp, code: string])[] = [
  [/incorrect api key|invalid api key/i, 'invalid_api_key'],
  [/all available credits|spending limit|any credits|credit balance|api usage limits/i, 'insufficient_quota'],
  [/violates usage guidelines|content filtering policy/i, 'content_filter'],
];

/**
 * The vendor answered with status 200, and asking again would only pay again for the same.
 *
 * @param usage What the answer cost all the same; null when the body does not tell.
 */
export function unusableAnswer(kind: 'refused' | 'invalid_answer', usage: ModelUsage | null): ProviderError {
  return new ProviderError({ kind, retryable: false, status: 200, usage });
}
