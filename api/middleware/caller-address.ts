import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';

/**
 * Makes `request.ip` the one address that counts, for limits, accounts and the log: of the addresses in
 * `X-Forwarded-For`, the rightmost that is not a trusted proxy's. Only a trusted proxy writes to the right of it, so a
 * caller cannot choose it. Without trusted proxies it is the address of the connection.
 */
export const settleCallerAddress: RequestHandler = (request, _response, next) => {
  const told = request.ip ?? '';
  // A proxy that writes something else than addresses has told nothing: its callers share its own address.
  setCallerAddress(request, isIP(told) === 0 ? (request.socket.remoteAddress ?? '') : told);
  next();
};

/** @param address an IP address; that of an IPv4 caller of an IPv6 socket (`::ffff:192.0.2.1`) is written as IPv4 */
export function setCallerAddress(request: Request, address: string): void {
  const value = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  Object.defineProperty(request, 'ip', { value, configurable: true });
}
