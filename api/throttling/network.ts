import { isIPv4 } from 'node:net';
import { parseUrl } from '../../council/parse-url.js';
import { networksPerSite } from '../../purchase/limits.js';

/** What callers of an address are counted by. */
export interface CountedNetwork {
  readonly of: 'network' | 'site';
  readonly name: string;
  /** How many times the limit of one network it has. */
  readonly networks: number;
}

/** The network of an address and, for IPv6, the site around it. */
export function countedNetworks(address: string): readonly CountedNetwork[] {
  const network: CountedNetwork = { of: 'network', name: networkOf(address), networks: 1 };
  const site = siteOf(address);
  return site === null ? [network] : [network, { of: 'site', name: site, networks: networksPerSite }];
}

/**
 * The network that an address is counted by: an IPv4 address itself, and the first 56 bits of an IPv6 address, because
 * one customer of a provider has at least that many addresses.
 */
export function networkOf(address: string): string {
  const groups = groupsOf(address);
  if (groups === null) return address;
  const [first = 0, second = 0, third = 0, fourth = 0, , , seventh = 0, eighth = 0] = groups;
  if (isMapped(groups)) return [seventh >> 8, seventh & 0xff, eighth >> 8, eighth & 0xff].join('.');
  return `${[first, second, third, fourth & 0xff00].map(hex).join(':')}::/56`;
}

/**
 * The site around the network of an IPv6 address, its first 48 bits, which is counted as well: some customers have all
 * of a site, and with it 256 networks. Null for other addresses.
 */
export function siteOf(address: string): string | null {
  const groups = groupsOf(address);
  return groups === null || isMapped(groups) ? null : `${groups.slice(0, 3).map(hex).join(':')}::/48`;
}

/** The network of an address as its owner is shown it: the first 24 bits of an IPv4 address, 48 of an IPv6 address. */
export function shownNetworkOf(address: string): string {
  const site = siteOf(address);
  if (site !== null) return site;
  const network = networkOf(address);
  return isIPv4(network) ? network.replace(/\d+$/, '0/24') : network;
}

/** The form in which an IPv6 socket names an IPv4 caller. */
function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every(group => group === 0);
}

function hex(group: number): string {
  return group.toString(16);
}

/** The eight groups of an IPv6 address, null for any other text. `URL` reads every way to write one. */
function groupsOf(address: string): number[] | null {
  if (isIPv4(address)) return null;
  const [withoutZone = ''] = address.split('%');
  const host = parseUrl(`http://[${withoutZone}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return null;
  const [head = '', tail] = host.split('::');
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16));
}
