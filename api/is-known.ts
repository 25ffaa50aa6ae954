import type { Request } from 'express';

/**
 * Whether the caller has the answer already (RFC 9110, `If-None-Match`). Express would not look where the request
 * says `no-cache`, which is what every `fetch` adds by itself.
 */
export function isKnown(request: Request, etag: string): boolean {
  const known = (request.get('if-none-match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}

/** Whether it says which answer it has already. */
export function asksForChange(request: Request): boolean {
  return request.get('if-none-match') !== undefined;
}
