import { isIP } from 'node:net';
import type { Request } from 'express';
import { Problem } from './problem.js';

/**
 * Where this very process listens, as seen from itself: the page and the MCP tools are clients of the public API, and ask
 * it there. Not the name that the caller used, which may belong to a proxy.
 */
export function ownAddress({ socket }: Request): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** Where the caller reached this service: protocol and host. @throws Problem `invalid_request` for a Host that is none. */
export function ownOrigin(request: Request): string {
  const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
  if (URL.canParse(origin)) return new URL(origin).origin;
  const detail = 'is not the name of a host';
  throw new Problem('invalid_request', `Host: ${detail}`, { errors: [{ parameter: 'Host', detail }] });
}

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
