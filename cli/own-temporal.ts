import type { TemporalPlace } from './with-temporal.js';

/** The embedded server. A proxy set for the outside world is no way to this machine itself. */
export function ownTemporal(address: string, namespace: string): TemporalPlace {
  return { connectionOptions: { address, channelArgs: { 'grpc.enable_http_proxy': 0 } }, namespace };
}
