import type { IncomingMessage } from 'node:http';
import type { Dialect } from './dialect.js';

/** The key in the vendor's header, which can be any; null where there is none. */
export function readKey({ keyHeader }: Dialect, request: IncomingMessage): string | null {
  const header = request.headers[keyHeader];
  const key = typeof header === 'string' ? header.replace(/^Bearer\s*/i, '') : '';
  return key === '' ? null : key;
}
