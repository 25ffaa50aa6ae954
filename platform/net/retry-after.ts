/** The places where servers say how long to wait before the next request. */
export interface RetryHints {
  /** Header `retry-after`: seconds, or an HTTP date. */
  readonly retryAfter: string | null;
  /** Header `retry-after-ms` (OpenAI, Anthropic): milliseconds. */
  readonly retryAfterMs?: string | null;
  /** `RetryInfo.retryDelay` in the body (Gemini): a protobuf duration such as `30s` or `1.5s`. */
  readonly retryDelay?: string | null;
}

/**
 * The wait that a server asks for, in whole milliseconds, rounded up. The first valid hint counts; a date in the
 * past means 0. Not capped: the caller knows its deadline.
 *
 * @param nowMs Epoch milliseconds, for HTTP dates.
 * @returns null without a valid hint. Negative numbers are not valid.
 */
export function parseRetryAfter(hints: RetryHints, nowMs: number): number | null {
  const { retryAfter, retryAfterMs = null, retryDelay = null } = hints;
  return (
    milliseconds(retryAfterMs, 1) ??
    milliseconds(retryAfter, 1_000) ??
    untilDate(retryAfter, nowMs) ??
    milliseconds(withoutUnit(retryDelay), 1_000)
  );
}

const plainNumber = /^\d+(\.\d+)?$/;
/** Every form of HTTP date has a weekday and a time. `Date.parse` alone would read `-5` as a year. */
const httpDate = /^(mon|tue|wed|thu|fri|sat|sun).* \d\d:\d\d:\d\d/i;

function milliseconds(text: string | null, unitMs: number): number | null {
  const number = text?.trim() ?? '';
  if (!plainNumber.test(number)) return null;
  const value = Math.ceil(Number(number) * unitMs);
  return Number.isSafeInteger(value) ? value : null;
}

function untilDate(text: string | null, nowMs: number): number | null {
  const date = text?.trim() ?? '';
  if (!httpDate.test(date)) return null;
  const dateMs = Date.parse(date);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

function withoutUnit(duration: string | null): string | null {
  const text = duration?.trim() ?? '';
  return text.endsWith('s') ? text.slice(0, -1) : null;
}
