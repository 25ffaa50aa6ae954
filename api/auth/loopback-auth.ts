import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { ApiContext } from '../context.js';
import { setCallerAddress } from '../middleware/request-guards.js';

/** Recognises the process's own requests to its API, and the caller for whom it makes them. */
export interface LoopbackAuth {
  /** Headers for a request to this API on behalf of the caller of `request`. */
  readonly headersFor: (request: Request) => Record<string, string>;
  /** Middleware: replaces the address of an own request by the caller's. Must run before the rate limits and the log. */
  readonly restoreCaller: RequestHandler;
}

const header = 'x-council-on-behalf-of';
const secretBytes = 32;

/**
 * The MCP tools and the page call the API over HTTP from this process. Without this, the rate limit would
 * count all their callers as one address, and a single caller could use up the limit of all others.
 */
export function createLoopbackAuth({ randomBytes }: Pick<ApiContext, 'randomBytes'>): LoopbackAuth {
  // The secret lets its holder choose the address that is counted, so it never leaves the process.
  const secret = Buffer.from(randomBytes(secretBytes)).toString('base64url');
  const expected = Buffer.from(secret);
  return {
    headersFor: request => ({ [header]: `${secret} ${request.ip ?? ''}` }),
    restoreCaller: (request, _response, next) => {
      const [given = '', address = ''] = (request.get(header) ?? '').split(' ');
      const actual = Buffer.from(given);
      if (actual.length === expected.length && timingSafeEqual(actual, expected)) {
        setCallerAddress(request, address);
      }
      next();
    },
  };
}
