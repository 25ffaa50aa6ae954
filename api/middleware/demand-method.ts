import type { RequestHandler } from 'express';
import type { Operation } from '../openapi/operation.js';
import { pathPattern } from '../openapi/path-pattern.js';
import { Problem } from '../problem.js';

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
