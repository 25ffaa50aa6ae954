import type { DropoutKind } from '../council/dropout.js';
import { type ModelUsage, ProviderError } from './model-provider.js';
import { parseRetryAfter } from './parse-retry-after.js';

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
