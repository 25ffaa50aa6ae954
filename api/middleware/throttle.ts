import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { credentialOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

const windowSeconds = 60;

/**
 * Rate limits per address and per credential, counted in this process, so that one caller cannot starve the
 * others. The limit on runs per hour is separate and counted in the database.
 */
export function throttle({ requestsPerMinute }: ApiContext): RequestHandler[] {
  return [
    limiter('address', requestsPerMinute.address, request => ipKeyGenerator(request.ip ?? '')),
    limiter('credential', requestsPerMinute.credential, hashedCredential, hasNoCredential),
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
      const retryAfterSeconds = Number(response.getHeader('Retry-After') ?? windowSeconds);
      next(
        new Problem('rate_limited', `At most ${limit} requests a minute are allowed per ${identifier}.`, {
          retryAfterSeconds,
        }),
      );
    },
  });
}

/** Hashed, so that no secret stays in memory longer than its request. */
function hashedCredential(request: Request): string {
  return createHash('sha256')
    .update(credentialOf(request) ?? '')
    .digest('base64');
}

function hasNoCredential(request: Request): boolean {
  return credentialOf(request) === undefined;
}
