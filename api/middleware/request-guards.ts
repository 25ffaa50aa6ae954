import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Operation } from '../../contract/operation.js';
import { pathPattern } from '../../contract/operations.js';
import { keepFromCaches } from '../http/cache-control.js';
import { Problem } from '../http/problem.js';

/** First of all, so that no route and no refusal can forget it. */
export const preventCaching: RequestHandler = (_request, response, next) => {
  keepFromCaches(response);
  next();
};

/** HTTP/1.1 requires `Host`. Checked here and not by Node, whose response would not be a problem document. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.get('host') === undefined) {
    const detail = 'is required';
    throw new Problem('invalid_request', `Host: ${detail}`, { errors: [{ parameter: 'Host', detail }] });
  }
  next();
};

/** Refuses a body that is not JSON before reading it. */
export const requireJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.headers['transfer-encoding'] !== undefined || request.get('content-length') !== '0';
  if (request.is('json') === false && hasBody) {
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  }
  next();
};

/** Responds with 405 and `Allow` (RFC 9110) if the path exists but not the method. */
export function requireMethod(operations: readonly Pick<Operation, 'method' | 'path'>[]): RequestHandler {
  const known = operations.map(({ path, method }) => ({ pattern: pathPattern(path), method }));
  return (request, response, next) => {
    const methods = known
      .filter(({ pattern }) => pattern.test(request.path))
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    if (methods.length === 0 || methods.includes(request.method)) {
      next();
      return;
    }
    const allowed = methods.join(', ');
    response.set('Allow', allowed);
    if (request.method !== 'OPTIONS') throw new Problem('method_not_allowed', `This path allows ${allowed}.`);
    response.status(204).end();
  };
}

/**
 * Security headers: scripts, styles and images from this origin only, no inline scripts, no framing. Payments
 * happen on the provider's page, to which the browser is redirected.
 */
export function setSecurityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'"],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
  });
}

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
