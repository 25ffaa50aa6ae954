import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { ApiContext } from '../context.js';

/** How the process knows its own requests to itself, and for whom it makes them. */
export interface LoopbackAuth {
  /** Headers for a request that is made on behalf of this one. */
  readonly mark: (request: Request) => Record<string, string>;
  /** Stands before whatever counts by address. */
  readonly recognise: RequestHandler;
}

const header = 'x-council-on-behalf-of';
const secretBytes = 32;

/**
 * The MCP tools and the page ask the API by HTTP from this very process. Counted by address all their callers would be one, and a
 * single one of them could use up what the others have; so each such request is counted as its caller's.
 */
export function createLoopbackAuth({ randomBytes }: Pick<ApiContext, 'randomBytes'>): LoopbackAuth {
  // Whoever knew it could ask under any address.
  const secret = Buffer.from(randomBytes(secretBytes)).toString('base64url');
  const expected = Buffer.from(secret);
  return {
    mark: request => ({ [header]: `${secret} ${request.ip ?? ''}` }),
    recognise: (request, _response, next) => {
      const [given = '', address = ''] = (request.get(header) ?? '').split(' ');
      const said = Buffer.from(given);
      if (said.length === expected.length && timingSafeEqual(said, expected)) {
        Object.defineProperty(request, 'ip', { value: address });
      }
      next();
    },
  };
}
