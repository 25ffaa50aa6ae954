import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { credentialOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

const windowSeconds = 60;

/**
 * A modest bound on requests, by address and by credential, counted in this process: it keeps one caller from
 * starving the others. What may be bought in an hour is a rule of its own, counted in the database.
 */
export function throttle({ requestsPerMinute }: ApiContext): RequestHandler[] {
  return [
    limiter('address', requestsPerMinute.address, request => ipKeyGenerator(request.ip ?? '')),
    limiter('credential', requestsPerMinute.credential, hashedCredential, hasNone),
  ];
}

function limiter(
  identifier: string,
  limit: number,
  keyGenerator: (request: Request) => string,
  skip: (request: Request) => boolean = () => false,
) {
  return rateLimit({
    windowMs: windowSeconds * 1_000,
    limit,
    identifier,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator,
    skip,
    handler: (_request, response, next) => {
      const wait = Number(response.getHeader('Retry-After') ?? windowSeconds);
      next(
        new Problem('rate_limited', `At most ${limit} requests a minute are answered by ${identifier}.`, {
          retryAfterSeconds: wait,
        }),
      );
    },
  });
}

/** Hashed, so that no secret lies about in memory longer than its request. */
function hashedCredential(request: Request): string {
  return createHash('sha256')
    .update(credentialOf(request) ?? '')
    .digest('base64');
}

function hasNone(request: Request): boolean {
  return credentialOf(request) === undefined;
}
