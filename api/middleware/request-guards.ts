import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Problem } from '../http/problem.js';
import { type Operation, pathPattern } from '../openapi/operation.js';

/** A body that is not JSON is refused before it is read. */
export const demandJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.headers['transfer-encoding'] !== undefined || request.get('content-length') !== '0';
  if (request.is('json') === false && hasBody) {
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  }
  next();
};

/** Tells a method that a path does not have from a path that does not exist, with the methods that it has (RFC 9110, `Allow`). */
export function demandMethod(operations: readonly Operation[]): RequestHandler {
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
    if (request.method !== 'OPTIONS') throw new Problem('method_not_allowed', `This path takes ${allowed}.`);
    response.status(204).end();
  };
}

/**
 * What a browser may do with an answer: load scripts, styles and pictures from here and from nowhere else, run nothing that
 * stands in a document, be framed by nobody. Paying happens on the provider's own page, which the browser is sent to.
 */
export function guardBrowsers(): RequestHandler {
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
