import { isIP } from 'node:net';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { GrpcCompressionConfig } from '@temporalio/worker';
import type { TemporalManifest } from './manifest.js';

/** Where Temporal is, by the standard variables and profiles of its own tools. */
export function temporalAddress(manifest: TemporalManifest) {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return { connectionOptions, namespace: namespace ?? manifest.namespace };
}

/**
 * How a worker packs what it sends to Temporal. Nothing for a server on this machine: there is no line to spare, and
 * packing and unpacking every small message took a tenth of all that a report costs.
 *
 * @param address `host:port`, as Temporal's tools take it; without one they mean this machine
 */
export function grpcCompression(address = 'localhost'): GrpcCompressionConfig {
  const host = address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  return { codec: isHere ? 'none' : 'gzip' };
}
