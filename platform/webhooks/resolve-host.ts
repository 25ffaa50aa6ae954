import { lookup, Resolver } from 'node:dns/promises';
import type { TargetPolicy } from './parse-target.js';

/**
 * All IPv4 and IPv6 addresses of a host name, at least one.
 * @throws Error with the `code` of node:dns if there is none, or no answer
 */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * `public`: the name servers are asked directly. The lookup of the operating system would also read `/etc/hosts` and the
 * search domains of the machine, and a name server that never answers would hold a thread that the whole process needs.
 * `any`: as the operating system resolves, so that `localhost` works.
 */
export function resolverFor(policy: TargetPolicy): ResolveHost {
  return policy === 'public' ? resolveByDns() : resolveBySystem;
}

/** @param servers `address:port` of the name servers; by default those of the machine */
export function resolveByDns(servers?: readonly string[]): ResolveHost {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: answerMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const found = [v4, v6].flatMap(each => (each.status === 'fulfilled' ? each.value : []));
      if (found.length > 0) return found;
      throw v4.status === 'rejected' ? v4.reason : new Error('the name has no address');
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** How long a name server may take; it is asked twice. */
const answerMs = 3_000;

const resolveBySystem: ResolveHost = async hostname =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
