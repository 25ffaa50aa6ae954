import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { withTimeout } from '../../platform/net/with-timeout.js';
import type { Environment, Settings } from '../../platform/settings/settings.js';
import { temporalAddress } from '../../platform/temporal/connection.js';
import { grpcFailure, grpcStatus } from '../../platform/temporal/grpc-status.js';
import type { TemporalManifest } from '../../platform/temporal/manifest.js';
import { findRunning } from '../launch/running-service.js';
import { commandLine } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Explanation } from './with-database.js';

export interface TemporalPlace {
  readonly connectionOptions: ConnectionOptions;
  readonly namespace: string;
}

const connectMs = 5_000;

/**
 * Runs `use` with a client for the Temporal server, and closes the connection.
 * @throws Failure that names the server when it is unreachable or rejects the request
 */
export async function withTemporal<Result>(
  place: TemporalPlace,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const address = serverAddress(place);
  try {
    const connection = await open(place, address);
    try {
      return await use(new Client({ connection, namespace: place.namespace }));
    } finally {
      await connection.close();
    }
  } catch (error) {
    const explained = explainTemporalError(error, { address, namespace: place.namespace });
    if (explained === null) throw error;
    throw new Failure(explained.detail, { next: explained.next, cause: error });
  }
}

/** The address of a server, as messages show it. */
export function serverAddress({ connectionOptions }: TemporalPlace): string {
  return connectionOptions.address ?? 'localhost:7233';
}

/** The time-out of the SDK does not work when a firewall drops the packets. */
async function open({ connectionOptions }: TemporalPlace, address: string): Promise<Connection> {
  const connecting = Connection.connect({ ...connectionOptions, connectTimeout: connectMs });
  const timeout = () => new Error(`failed to connect to ${address} within ${connectMs / 1_000} s`);
  return withTimeout(connectMs + 500, connecting, timeout);
}

/** Why a request to Temporal failed; null for an error that has nothing to do with the server. */
export function explainTemporalError(
  error: unknown,
  { address, namespace }: { address: string; namespace: string },
): Explanation | null {
  if (error instanceof NamespaceNotFoundError) return noNamespace(address, namespace);
  const grpcError = grpcFailure(error);
  if (grpcError === null) return isConnectFailure(error) ? unreachable(address) : null;
  switch (grpcError.code) {
    case grpcStatus.notFound:
      return noNamespace(address, namespace);
    case grpcStatus.permissionDenied:
    case grpcStatus.unauthenticated:
      return {
        detail: `Temporal at ${address} does not permit this: ${grpcError.details}`,
        next: 'Correct TEMPORAL_API_KEY, the TEMPORAL_TLS variables or the profile, or give that identity more permissions.',
      };
    case grpcStatus.unimplemented:
      return {
        detail: `Temporal at ${address} does not support this over its API: ${grpcError.details}`,
        next: 'On Temporal Cloud, create namespaces and search attributes with `tcld` or in its web page, as temporal.yaml describes them.',
      };
    case grpcStatus.unavailable:
    case grpcStatus.deadlineExceeded:
      return unreachable(address);
    default:
      return null;
  }
}

function noNamespace(address: string, namespace: string): Explanation {
  return {
    detail: `Temporal at ${address} has no namespace ${namespace}.`,
    next: `Create it: ${commandLine('temporal apply')}. Or correct TEMPORAL_NAMESPACE.`,
  };
}

function unreachable(address: string): Explanation {
  return {
    detail: `Temporal at ${address} cannot be reached.`,
    next: 'Start it, or correct TEMPORAL_ADDRESS. Without TEMPORAL_ADDRESS, `npm start` starts its own.',
  };
}

function isConnectFailure(error: unknown): boolean {
  return error instanceof Error && /failed to connect|connect.*deadline/i.test(error.message);
}

/** The embedded server. The connection bypasses a configured proxy, which cannot reach this machine. */
export function embeddedTemporal(address: string, namespace: string): TemporalPlace {
  return { connectionOptions: { address, channelArgs: { 'grpc.enable_http_proxy': 0 } }, namespace };
}

/** The configured Temporal server, or else that of the service which runs on this COUNCIL_HOME. */
export function temporalPlace(
  manifest: TemporalManifest,
  settings: Pick<Settings, 'TEMPORAL_ADDRESS' | 'COUNCIL_HOME'>,
  env: Environment,
): TemporalPlace {
  const configured = temporalAddress(manifest, env);
  if (settings.TEMPORAL_ADDRESS !== undefined || env['TEMPORAL_PROFILE'] !== undefined) return configured;
  const address = findRunning(settings.COUNCIL_HOME)?.temporalAddress ?? null;
  if (address !== null) return embeddedTemporal(address, configured.namespace);
  throw new Failure('There is no Temporal server to connect to.', {
    next: 'Set TEMPORAL_ADDRESS, or start the service here (`npm start`): it starts its own Temporal.',
  });
}
