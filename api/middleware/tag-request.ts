import type { RequestHandler } from 'express';
import type { ApiContext } from '../context.js';

/** Gives every request an id, answers with it, and notes the request once it is over. No header is logged. */
export function tagRequest(context: ApiContext): RequestHandler {
  return (request, response, next) => {
    const requestId = context.newId();
    const begunAt = context.now().getTime();
    response.locals['requestId'] = requestId;
    response.set('X-Request-Id', requestId);
    response.on('finish', () => {
      const { method, path } = request;
      const ms = context.now().getTime() - begunAt;
      context.log.debug({ requestId, method, path, status: response.statusCode, ms }, 'request');
    });
    next();
  };
}
