import { isIPv4 } from 'node:net';
import { parseUrl } from '../../council/parse-url.js';

/**
 * The network that an address is counted by: an IPv4 address itself, and the first 56 bits of an IPv6 address, because
 * one customer of a provider has at least that many addresses.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  if (groups === null) return address;
  const [first = 0, second = 0, third = 0, fourth = 0, , sixth = 0, seventh = 0, eighth = 0] = groups;
  const isMapped = sixth === 0xffff && groups.slice(0, 5).every(group => group === 0);
  if (isMapped) return [seventh >> 8, seventh & 0xff, eighth >> 8, eighth & 0xff].join('.');
  return `${[first, second, third, fourth & 0xff00].map(group => group.toString(16)).join(':')}::/56`;
}

/** The eight groups of an IPv6 address. `URL` reads every way to write one. */
function groupsOf(address: string): number[] | null {
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
