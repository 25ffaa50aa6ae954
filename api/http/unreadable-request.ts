import { headersMaxBytes, requestWithinSeconds } from '../../purchase/limits.js';
import { Problem } from './problem.js';

/**
 * The problem of a request that cannot be read as HTTP, by the code of Node's error. Where HTTP has a status of its own,
 * the response has that; the list of problem codes stays as it is.
 */
export function unreadableRequest(code = 'unknown'): Problem {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'invalid_request',
        `The request was not complete within ${requestWithinSeconds} seconds. Send it again on a new connection.`,
        { status: 408, errors: [] },
      );
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'invalid_request',
        `The request line and the headers can have at most ${headersMaxBytes} bytes together.`,
        { status: 431, errors: [] },
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large', 'The extensions of a chunk are too large.');
    default:
      return new Problem('invalid_request', 'The request is not valid HTTP.', { errors: [] });
  }
}
