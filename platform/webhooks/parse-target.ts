import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.js';

/** The setting `WEBHOOK_TARGETS`. `any` also allows http and private addresses, for development. */
export type TargetPolicy = 'public' | 'any';

/** @returns the parsed address, or the reason as a sentence why it is refused; DNS is not asked */
export function parseTarget(text: string, policy: TargetPolicy): URL | string {
  if (text.length > urlMaxLength) return `The address has more than ${urlMaxLength} characters.`;
  if (!URL.canParse(text)) return 'This is not an address, such as `https://hooks.example.com/council`.';
  const url = new URL(text);
  if (url.href.length > urlMaxLength) return `The address has more than ${urlMaxLength} characters.`;
  const schemes = policy === 'public' ? ['https:'] : ['https:', 'http:'];
  if (!schemes.includes(url.protocol)) return 'The address must begin with `https://`.';
  if (url.username !== '' || url.password !== '') return 'The address must not have a user or a password.';
  if (text.includes('#')) return 'The address must not have a fragment (`#`).';
  return policy === 'public' ? (refusedHost(url) ?? url) : url;
}

/** As in the database. */
const urlMaxLength = 2_000;

/** Says nothing about the address: a caller could read the names of a private network from it. */
export const notPublic = 'The host is not at a public address.';

function refusedHost(url: URL): string | null {
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? refusedPort(url) : notPublic;
  // Certificates have no such names, and TLS cannot ask for them.
  if (host.endsWith('.')) return 'The host must not end with a dot.';
  // Resolvers complete a single word with the domains of their network.
  if (!host.includes('.') || privateNames.test(host)) return notPublic;
  return refusedPort(url);
}

/** Top-level domains that are never public (RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN 2024). */
const privateNames = /\.(localhost|local|internal|onion|home\.arpa)$/;

/** The other low ports belong to services that speak other protocols. */
function refusedPort({ port }: URL): string | null {
  const isAllowed = port === '' || Number(port) >= firstUserPort;
  return isAllowed ? null : `The port must be 443 or from ${firstUserPort} to 65535.`;
}

const firstUserPort = 1_024;

/** The host without the brackets of an IPv6 address. `URL` has written every form of an IPv4 address with four numbers. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
