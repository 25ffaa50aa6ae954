import type { RequestHandler } from 'express';
import { Problem } from '../problem.js';

/** A body that is not JSON is refused before it is read. */
export const demandJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.headers['transfer-encoding'] !== undefined || request.get('content-length') !== '0';
  if (request.is('json') === false && hasBody) {
    throw new Problem('unsupported_media_type', 'Send the body as application/json.');
  }
  next();
};
