import type { RequestHandler } from 'express';
import type { ApiContext } from '../context.js';
import { routeOf } from '../route-of.js';

/**
 * How long answers take, by the route as it is written: a path as it was asked for would be a new series for every report.
 * What met no route is one series of its own.
 */
export function measure({ metrics }: ApiContext): RequestHandler {
  return (request, response, next) => {
    const stop = metrics.httpSeconds.startTimer();
    response.once('finish', () =>
      stop({ method: request.method, route: routeOf(request), status: response.statusCode }),
    );
    next();
  };
}
