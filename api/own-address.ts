import type { Request } from 'express';

/**
 * Where this very process listens, as seen from itself: the page and the MCP tools are clients of the public API, and ask
 * it there. Not the name that the caller used, which may belong to a proxy.
 */
export function ownAddress({ socket }: Request): string {
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
