import { BlockList, isIP } from 'node:net';

/**
 * Whether an IP address is one of the public Internet. What is not: every special-purpose range of IANA, the addresses
 * at which clouds serve credentials to their machines, and every IPv6 form that carries an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo), because a router may turn it into a private one.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** All of IPv6 that was ever assigned to the public Internet: everything else is refused without being listed. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8], // this network, and the unspecified address
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT; 100.100.100.200 is Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's own server, reachable from its machines
  ['169.254.0.0', 16], // link-local; 169.254.169.254 is the metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; 192.0.0.192 is Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112: answers nothing but DNS
  ['192.52.193.0', 24], // multicast tunnels
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and the broadcast address
] as const) {
  special.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const) {
  special.addSubnet(network, bits, 'ipv6');
}
