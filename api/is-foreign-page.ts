import { isIP } from 'node:net';
import type { Request } from 'express';

/**
 * Whether a browser asks on behalf of a page that is not this service's own. A name that is only looked up, over plain
 * HTTP, is nobody's proof: a page can have its own name point here after it was loaded (DNS rebinding). Addresses and
 * `localhost` cannot be made to point elsewhere, and under TLS the name was proved.
 */
export function isForeignPage(request: Request): boolean {
  const origin = request.get('origin');
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host, hostname } = new URL(origin);
  if (host !== request.get('host')?.toLowerCase()) return true;
  const isFixed = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return protocol !== 'https:' && !isFixed;
}
