import type { Request, RequestHandler, Response } from 'express';
import { createProcessCounts, type SharedCounts } from '../../db/throttling/shared-counts.js';
import { requestWindowSeconds } from '../../purchase/limits.js';
import { credentialOf, identify } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import type { CountKey } from '../throttling/count-key.js';
import { type Allowance, createLeases } from '../throttling/leases.js';
import { type CountedNetwork, countedNetworks } from '../throttling/network.js';

/**
 * Requests per minute by credential, or without a verified one by network, and by network in all. The limits hold over
 * all API processes. The limit on runs per hour is separate and counted with the purchases.
 */
export function throttle(context: ApiContext, countKey: CountKey): RequestHandler {
  const leasesOf = (counts: Pick<SharedCounts, 'add'>) =>
    createLeases(
      counts,
      () => performance.now(),
      key => countKey('requests', key),
    );
  const [shared, ownOnly] = [leasesOf(context.counts), leasesOf(createProcessCounts())];
  const take = ({ name, subject, requestsPerMinute }: RequestLimit) =>
    (name === 'health' ? ownOnly : shared).take(`${name} ${subject}`, requestsPerMinute);
  const takeAll = async (limits: readonly RequestLimit[]) => {
    for (const limit of limits) if (!(await take(limit)).allowed) return false;
    return true;
  };
  return async (request, response, next) => {
    const networks = countedNetworks(request.ip ?? '');
    const mayVerify = () => takeAll(verifications(context, networks));
    const isProbe = isHealth(request.path);
    // While the database is away, the caller may be unknown: the request counts as anonymous, then it is refused.
    const { caller, fault } = isProbe ? nobody : await faultOrCaller(callerOf(context, request, mayVerify));
    const limits = isProbe ? healthLimits(context, networks) : limitsOf(context, request, networks, caller);
    // The narrow limit first: what it refuses must not use up the limit that others at this address share.
    for (const limit of limits) {
      const taken = await take(limit);
      // Refused in the meantime: what followed its headers was not HTTP.
      if (response.headersSent) return;
      announce(response, limit, taken);
      if (!taken.allowed) {
        context.metrics.throttled.inc({ limit: limit.name });
        throw new Problem('rate_limited', limit.refusal, { retryAfterSeconds: taken.secondsLeft });
      }
    }
    next(fault);
  };
}

interface Identified {
  /** Null: nobody that is known. */
  readonly caller: string | null;
  /** Why it could not be found out. */
  readonly fault?: unknown;
}

const nobody: Identified = { caller: null };

function faultOrCaller(identifying: Promise<string | null>): Promise<Identified> {
  return identifying.then(
    caller => ({ caller }),
    (fault: unknown) => ({ caller: null, fault }),
  );
}

interface RequestLimit {
  readonly name: 'credential' | 'health' | `${NetworkLimit}${'' | '_site'}`;
  readonly subject: string;
  readonly requestsPerMinute: number;
  readonly refusal: string;
}

type NetworkLimit = 'address' | 'anonymous' | 'verification';

/**
 * Probes of an orchestrator and of a balancer. Each process counts them by itself, so that a database that hangs does
 * not make a live process look dead.
 */
function isHealth(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

function healthLimits({ limits }: ApiContext, networks: readonly CountedNetwork[]): readonly RequestLimit[] {
  const { anonymous } = limits.requestsPerMinute;
  return networks.map(({ name, networks: times }) =>
    limitOf('health', name, anonymous * times, 'per address'),
  );
}

/**
 * Whose limit a request counts against; null if it is anonymous. A credential that this process does not know is
 * verified once, which made-up ones can cause only as often as anonymous requests.
 */
async function callerOf(
  context: ApiContext,
  request: Request,
  mayVerify: () => Promise<boolean>,
): Promise<string | null> {
  const credential = credentialOf(request);
  if (credential === undefined) return null;
  const known = context.knownCallers.limitOf(credential);
  if (known !== null) return known;
  if (!(await mayVerify()) || (await identify(context, request)) === null) return null;
  return context.knownCallers.limitOf(credential);
}

function verifications({ limits }: ApiContext, networks: readonly CountedNetwork[]): readonly RequestLimit[] {
  return byNetwork('verification', networks, limits.requestsPerMinute.anonymous, 'per address');
}

function limitsOf(
  { limits }: ApiContext,
  request: Request,
  networks: readonly CountedNetwork[],
  caller: string | null,
): readonly RequestLimit[] {
  const { address, anonymous, credential } = limits.requestsPerMinute;
  const all = byNetwork('address', networks, address, 'per address');
  // Files of the page, which cost nothing.
  if (request.path.startsWith('/assets/')) return all;
  return caller === null
    ? [...byNetwork('anonymous', networks, anonymous, 'per address without a valid credential'), ...all]
    : [limitOf('credential', caller, credential, 'per credential'), ...all];
}

function byNetwork(
  limit: NetworkLimit,
  networks: readonly CountedNetwork[],
  requestsPerMinute: number,
  each: string,
): readonly RequestLimit[] {
  return networks.map(({ of, name, networks: times }) =>
    limitOf(of === 'site' ? `${limit}_site` : limit, name, requestsPerMinute * times, each),
  );
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
function announce(response: Response, limit: RequestLimit, { remaining, secondsLeft }: Allowance): void {
  response.append(
    'RateLimit-Policy',
    `"${limit.name}"; q=${limit.requestsPerMinute}; w=${requestWindowSeconds}`,
  );
  response.append('RateLimit', `"${limit.name}"; r=${remaining}; t=${secondsLeft}`);
}
