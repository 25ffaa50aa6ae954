import type { Request, RequestHandler, Response } from 'express';
import { requestWindowSeconds } from '../../council/limits.js';
import { credentialOf, identify } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import type { CountKey } from '../throttling/count-key.js';
import { createLeases, type Taken } from '../throttling/leases.js';
import { networkOf } from '../throttling/network.js';

/**
 * Requests per minute by credential, or without a verified one by network, and by network in all. The limits hold over
 * all API processes. The limit on runs per hour is separate and counted with the purchases.
 */
export function throttle(context: ApiContext, countKey: CountKey): RequestHandler {
  const leases = createLeases(
    context.counts,
    () => performance.now(),
    key => countKey('requests', key),
  );
  const take = ({ name, subject, requestsPerMinute }: RequestLimit) =>
    leases.take(`${name} ${subject}`, requestsPerMinute);
  return async (request, response, next) => {
    const network = networkOf(request.ip ?? '');
    const caller = await callerOf(context, request, () => take(verifications(context, network)));
    // The narrow limit first: what it refuses must not use up the limit that others at this address share.
    for (const limit of limitsOf(context, request, network, caller)) {
      const taken = await take(limit);
      // Refused in the meantime: what followed its headers was not HTTP.
      if (response.headersSent) return;
      announce(response, limit, taken);
      if (!taken.allowed) {
        context.metrics.throttled.inc({ limit: limit.name });
        throw new Problem('rate_limited', limit.refusal, { retryAfterSeconds: taken.secondsLeft });
      }
    }
    next();
  };
}

interface RequestLimit {
  readonly name: 'address' | 'anonymous' | 'credential' | 'verification';
  readonly subject: string;
  readonly requestsPerMinute: number;
  readonly refusal: string;
}

/**
 * Whose limit a request counts against; null if it is anonymous. A credential that this process does not know is
 * verified once, which made-up ones can cause only as often as anonymous requests.
 */
async function callerOf(
  context: ApiContext,
  request: Request,
  takeVerification: () => Promise<Taken>,
): Promise<string | null> {
  const credential = credentialOf(request);
  if (credential === undefined) return null;
  const known = context.knownCallers.limitOf(credential);
  if (known !== null) return known;
  const { allowed } = await takeVerification();
  if (!allowed || (await identify(context, request)) === null) return null;
  return context.knownCallers.limitOf(credential);
}

function verifications({ limits }: ApiContext, network: string): RequestLimit {
  return limitOf('verification', network, limits.requestsPerMinute.anonymous, 'per address');
}

function limitsOf(
  { limits }: ApiContext,
  request: Request,
  network: string,
  caller: string | null,
): readonly RequestLimit[] {
  const { address, anonymous, credential } = limits.requestsPerMinute;
  const all = limitOf('address', network, address, 'per address');
  // Files of the page, which cost nothing.
  if (request.path.startsWith('/assets/')) return [all];
  return caller === null
    ? [limitOf('anonymous', network, anonymous, 'per address without a valid credential'), all]
    : [limitOf('credential', caller, credential, 'per credential'), all];
}

function limitOf(
  name: RequestLimit['name'],
  subject: string,
  requestsPerMinute: number,
  each: string,
): RequestLimit {
  const refusal = `At most ${requestsPerMinute} requests a minute are allowed ${each}.`;
  return { name, subject, requestsPerMinute, refusal };
}

/** draft-ietf-httpapi-ratelimit-headers-08 */
function announce(response: Response, limit: RequestLimit, { remaining, secondsLeft }: Taken): void {
  response.append(
    'RateLimit-Policy',
    `"${limit.name}"; q=${limit.requestsPerMinute}; w=${requestWindowSeconds}`,
  );
  response.append('RateLimit', `"${limit.name}"; r=${remaining}; t=${secondsLeft}`);
}
