import type { Request } from 'express';
import { parseUrl } from '../../council/parse-url.js';
import type { ApiContext } from '../context.js';

/**
 * The address at which this process reaches itself. The page and the MCP tools call the public API there, and
 * not under the name that the caller used, which may belong to a proxy.
 */
export function ownAddress({ socket }: Request): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/**
 * The address of a page of this service, for links and return addresses. Never under the host that the caller names,
 * who could send another person elsewhere with it.
 * @param path from the root, such as `/account`
 */
export function publicPage({ publicUrl }: Pick<ApiContext, 'publicUrl'>, path: string): string {
  return `${publicUrl}${path}`;
}

/**
 * Whether a browser sends the request from a page of another origin. Compared with the service's own origins and not
 * with `Host`: a page can point its own name to this address after it has loaded (DNS rebinding), and then both agree.
 */
export function isForeignPage(
  { trustedOrigins }: Pick<ApiContext, 'trustedOrigins'>,
  request: Request,
): boolean {
  const origin = request.get('origin');
  return origin !== undefined && !trustedOrigins.includes(parseUrl(origin)?.origin ?? '');
}
