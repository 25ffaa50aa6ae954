import type { IncomingMessage } from 'node:http';
import type { Dialect } from './dialect.js';

/** True for a request with a key in the vendor's header; which key does not matter. */
export function hasKey({ keyHeader }: Dialect, request: IncomingMessage): boolean {
  const header = request.headers[keyHeader];
  return typeof header === 'string' && header.replace(/^Bearer\s*/i, '') !== '';
}
