import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';

/**
 * Whether somebody asks from this machine or its private network, and not through a proxy on behalf of somebody else. Figures
 * are for operators: how much is sold, and what fails, is nobody else's to read.
 */
export function isInternal({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return !forwarded && internal.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

const internal = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  internal.addSubnet(network, prefix, 'ipv4');
}
internal.addAddress('::1', 'ipv6');
internal.addSubnet('fc00::', 7, 'ipv6');
