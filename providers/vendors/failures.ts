import { types } from 'node:util';
import { ZodError } from 'zod';
import type { DropoutKind } from '../../council/deliberation/members.js';
import { parseRetryAfter } from '../../platform/net/retry-after.js';
import { cacheTokens, type ModelUsage, ProviderError } from '../model-provider.js';

export interface HttpFailure {
  readonly status: number;
  /** Null if the SDK does not expose them (Gemini). */
  readonly headers: Pick<Headers, 'get'> | null;
  /** The vendor's error code or type, or the one that {@link codeInErrorText} found. */
  readonly code: string | null;
  /** A delay requested in the body: Gemini's `RetryInfo.retryDelay`, OpenRouter's `retry_after`. */
  readonly retryDelay?: string | null;
  /** Tokens billed before the failure, if the body reports them. */
  readonly usage?: ModelUsage | null;
  /** Epoch milliseconds, for a `Retry-After` with a date. */
  readonly nowMs: number;
}

/** Classifies an HTTP response other than 2xx. This is the only table of retryable statuses. */
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
  return new ProviderError({ ...classificationOf(failure), retryAfterMs, status, usage });
}

type Classification = { readonly kind: DropoutKind; readonly retryable: boolean };

/** The code takes precedence over the status: vendors use 400, 403 and 429 for several kinds of error. */
function classificationOf({ status, code }: HttpFailure): Classification {
  return (code === null ? undefined : byCode.get(code)) ?? byStatus(status);
}

const badKey: Classification = { kind: 'unauthorised', retryable: false };
const quotaExhausted: Classification = { kind: 'rate_limited', retryable: false };
const budgetInFlight: Classification = { kind: 'rate_limited', retryable: true };
const contentFiltered: Classification = { kind: 'refused', retryable: false };

const byCode: ReadonlyMap<string, Classification> = new Map([
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

function byStatus(status: number): Classification {
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
 * Classifies a failure that is neither an HTTP error nor one of the SDK's connection errors: a body that is
 * not JSON or not in the vendor's format, or a connection that broke while the body was read.
 */
export function classifyBrokenExchange(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof ZodError || nameOf(error) === 'SyntaxError')
    return unusableAnswer('invalid_answer', null);
  return new ProviderError({ kind: 'unavailable', retryable: isBrokenConnection(error) });
}

/** The error for a connection that an SDK could not open, or lost. What never reached the vendor costs nothing. */
export function lostConnection(error: Error): ProviderError {
  const unreported = !neverConnected.has(codeOf(error) ?? '');
  return new ProviderError({ kind: 'unavailable', retryable: true, unreported });
}

const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The system's code of the failure, from the error or what caused it. */
function codeOf(error: unknown): string | null {
  if (!types.isNativeError(error)) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

/** `fetch` throws a TypeError ("terminated" or "fetch failed") with the socket's error as its cause. */
function isBrokenConnection(error: unknown): boolean {
  return nameOf(error) === 'TypeError' && types.isNativeError(error) && error.cause !== undefined;
}

/** Compares names instead of using `instanceof`, because `fetch` belongs to another realm under Jest. */
function nameOf(error: unknown): string | null {
  return types.isNativeError(error) ? error.name : null;
}

/**
 * Derives an error code from a vendor's error text, for errors without a specific code: xAI responds with
 * plain text and 400 for a bad key, 403 or 429 for exhausted credits and 403 for a safety check; Anthropic
 * uses `invalid_request_error` for an exhausted balance and for filtered output. The text itself is not
 * passed on.
 *
 * @returns A code that `classifyHttpFailure` knows, or null.
 */
export function codeInErrorText(text: string): string | null {
  return errorTexts.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

const errorTexts: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/incorrect api key|invalid api key/i, 'invalid_api_key'],
  [/all available credits|spending limit|any credits|credit balance|api usage limits/i, 'insufficient_quota'],
  [/violates usage guidelines|content filtering policy/i, 'content_filter'],
];

/**
 * The error for a response with status 200 that cannot be used. Not retryable: a retry would be billed again.
 *
 * @param usage The billed tokens; null if the body does not report them.
 */
export function unusableAnswer(kind: 'refused' | 'invalid_answer', usage: ModelUsage | null): ProviderError {
  return new ProviderError({ kind, retryable: false, status: 200, usage });
}

/** The error for an answer that was cut off at the limit of output tokens, which are billed. */
export function truncatedAnswer(usage: ModelUsage | null): ProviderError {
  return new ProviderError({
    kind: 'invalid_answer',
    retryable: false,
    status: 200,
    usage,
    truncated: true,
  });
}

/**
 * Adds what was billed besides to a failure, such as the searches of an answer that cannot be used. Other errors stay
 * as they are.
 */
export function withBilled(error: unknown, billed: ModelUsage): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { kind, retryable, retryAfterMs, status, unreported, truncated, usage } = error;
  const total = usage === null ? billed : sumOf(usage, billed);
  return new ProviderError({ kind, retryable, retryAfterMs, status, unreported, truncated, usage: total });
}

/** The usage of two requests of one call. */
export function sumOf(usage: ModelUsage, further: ModelUsage): ModelUsage & { readonly searches: number } {
  return {
    modelId: usage.modelId,
    inputTokens: usage.inputTokens + further.inputTokens,
    ...cacheTokens(
      (usage.cachedInputTokens ?? 0) + (further.cachedInputTokens ?? 0),
      (usage.cacheWriteTokens ?? 0) + (further.cacheWriteTokens ?? 0),
    ),
    outputTokens: usage.outputTokens + further.outputTokens,
    searches: (usage.searches ?? 0) + (further.searches ?? 0),
  };
}
