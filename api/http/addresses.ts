import { isIP } from 'node:net';
import type { Request } from 'express';
import { parseUrl } from '../../council/parse-url.js';
import { Problem } from './problem.js';

/**
 * The address at which this process reaches itself. The page and the MCP tools call the public API there, and
 * not under the name that the caller used, which may belong to a proxy.
 */
export function ownAddress({ socket }: Request): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * A path under the protocol and host that the caller used.
 * @throws Problem `invalid_request` for an invalid `Host`
 */
export function ownUrl(request: Request, path: string): URL {
  const base = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
  const url = parseUrl(path, base);
  if (url !== null) return url;
  const detail = 'is not a valid host name';
  throw new Problem('invalid_request', `Host: ${detail}`, { errors: [{ parameter: 'Host', detail }] });
}

/**
 * Whether a browser sends the request from a page of another origin. A host name over plain HTTP proves
 * nothing: a page can point its own name to this address after it has loaded (DNS rebinding). IP addresses
 * and `localhost` cannot be redirected that way, and TLS verifies the name.
 */
export function isForeignPage(request: Request): boolean {
  const origin = request.get('origin');
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  if (page === null) return true;
  const { protocol, host, hostname } = page;
  if (host !== request.get('host')?.toLowerCase()) return true;
  const isFixed = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return protocol !== 'https:' && !isFixed;
}
