import type { Response } from 'express';

/** Seconds after which to ask again, by status, where a route knows nothing better. */
const usualSeconds: ReadonlyMap<number, number> = new Map([
  [202, 2],
  [429, 10],
  [503, 5],
]);

/**
 * Every 202, 429 and 503 says when to ask again, also one of a page or of a library. Called where a response gets its
 * status; a header that is there stays.
 */
export function setUsualRetryAfter(response: Response): void {
  const seconds = usualSeconds.get(response.statusCode);
  if (seconds !== undefined && !response.hasHeader('Retry-After'))
    response.set('Retry-After', String(seconds));
}
