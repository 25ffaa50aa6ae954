/** The places in which vendors say how long to wait. Null where one was not given. */
export interface RetryHints {
  /** Header `retry-after-ms` (OpenAI, Anthropic): milliseconds. */
  readonly retryAfterMs: string | null;
  /** Header `retry-after`: seconds, or an HTTP date. */
  readonly retryAfter: string | null;
  /** `RetryInfo.retryDelay` in the body (Gemini): a protobuf duration such as `30s` or `1.5s`. */
  readonly retryDelay: string | null;
}

/**
 * How long the vendor asked us to wait, in whole milliseconds, rounded up.
 * The first hint that makes sense counts; garbage and negative numbers make none. A date in the past means 0.
 *
 * @param nowMs Epoch milliseconds, for HTTP dates.
 * @returns null when nothing sensible was asked for. Uncapped: the caller knows its deadline.
 */
export function parseRetryAfter(hints: RetryHints, nowMs: number): number | null {
  return (
    milliseconds(hints.retryAfterMs, 1) ??
    milliseconds(hints.retryAfter, 1_000) ??
    untilDate(hints.retryAfter, nowMs) ??
    milliseconds(withoutUnit(hints.retryDelay), 1_000)
  );
}

const plainNumber = /^\d+(\.\d+)?$/;
/** Every form of HTTP date has the day's name and a time. `Date.parse` alone would take `-5` for a year. */
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
  const atMs = Date.parse(date);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function withoutUnit(duration: string | null): string | null {
  return duration?.trim().endsWith('s') ? duration.trim().slice(0, -1) : null;
}
