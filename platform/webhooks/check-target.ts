import { isIP } from 'node:net';
import { hostOf, notPublic, parseTarget, type TargetPolicy } from './parse-target.js';
import { isPublicAddress } from './public-addresses.js';
import { type ResolveHost, resolverFor } from './resolve-host.js';

/** `url` is the address as it is stored and called, or `reason` says in a sentence why it is refused. */
export type TargetCheck =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Decides whether an address may be stored as an endpoint. A name that resolves to an address that is not public is
 * refused. A name that does not resolve is accepted: its owner may set it up later, and the pause of a name server is no
 * fault of the caller. Each delivery resolves and checks again, because the name may point elsewhere by then.
 */
export async function checkTarget(
  text: string,
  policy: TargetPolicy,
  resolve: ResolveHost = resolverFor(policy),
): Promise<TargetCheck> {
  const target = parseTarget(text, policy);
  if (typeof target === 'string') return { ok: false, reason: target };
  if (policy === 'public') {
    const addresses = await resolveNow(target, resolve);
    if (!addresses.every(isPublicAddress)) return { ok: false, reason: notPublic };
  }
  return { ok: true, url: target.href };
}

/** @returns no address if the name does not resolve in time */
async function resolveNow(url: URL, resolve: ResolveHost): Promise<readonly string[]> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return [host];
  return resolve(host, AbortSignal.timeout(registrationMs)).catch(() => []);
}

/** How long a registration waits for DNS, in milliseconds. */
const registrationMs = 4_000;
