import { isIP } from 'node:net';
import { isLoopback, isUnspecified, publicUrlOf, type Settings } from './settings.js';

/**
 * The origins whose pages may sign in and use `/mcp`: the public address and no other. Without `PUBLIC_URL`, a service
 * for this machine is used under each of its local names, and one that listens on all addresses (`0.0.0.0`) also under
 * the addresses of its machine. Never a host name that a caller states: a page can point its own name to this machine
 * after it has loaded (DNS rebinding).
 * @param ownAddresses the IP addresses of this machine
 */
export function trustedOriginsOf(
  settings: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  ownAddresses: readonly string[],
): readonly string[] {
  const { PUBLIC_URL, HOST, PORT } = settings;
  const isForAll = isUnspecified(HOST);
  if (PUBLIC_URL !== undefined || !(isForAll || isLoopback(HOST))) return [originOf(publicUrlOf(settings))];
  const names = [...localNames, ...(isForAll ? ownAddresses : [HOST])];
  return [...new Set(names.map(name => originOf(`http://${isIP(name) === 6 ? `[${name}]` : name}:${PORT}`)))];
}

const localNames = ['localhost', '127.0.0.1', '::1'];

/** An origin as browsers write it: in lower case, without the default port. */
function originOf(url: string): string {
  return new URL(url).origin;
}
