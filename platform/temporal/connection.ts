import { isIP } from 'node:net';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { GrpcCompressionConfig } from '@temporalio/worker';
import type { Environment } from '../settings/settings.js';
import type { TemporalManifest } from './manifest.js';

/**
 * Where Temporal is, by the standard variables and profiles of its own tools.
 * @param env the environment of the process unless given
 */
export function temporalAddress(manifest: TemporalManifest, env?: Environment) {
  const { connectionOptions, namespace } = loadClientConnectConfig(
    env === undefined ? {} : { overrideEnvVars: definedIn(env) },
  );
  return { connectionOptions, namespace: namespace ?? manifest.namespace };
}

function definedIn(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
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
