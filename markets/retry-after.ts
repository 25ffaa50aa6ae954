/**
 * The seconds a `Retry-After` header asks to wait, whether it holds seconds or an HTTP date: at least 1, at most
 * an hour. Null where there is none or it cannot be read. A date is compared with the sender's own `Date`
 * header where there is one, so that clocks which disagree do no harm.
 */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (value === '') return null;
  if (/^\d+$/.test(value)) return within(Number(value));
  const until = Date.parse(value);
  if (Number.isNaN(until)) return null;
  const sent = Date.parse(headers.get('date') ?? '');
  return within((until - (Number.isNaN(sent) ? Date.now() : sent)) / 1000);
}

function within(seconds: number): number {
  return Math.min(3600, Math.max(1, Math.ceil(seconds)));
}
