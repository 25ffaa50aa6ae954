import { Client, Connection, type ConnectionOptions, isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { withTimeout } from '../../net/with-timeout.js';
import { commandLine } from '../groups/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Explanation } from './with-database.js';

export interface TemporalPlace {
  readonly connectionOptions: ConnectionOptions;
  readonly namespace: string;
}

const connectMs = 5_000;

/**
 * Does something with the Temporal server of the service, and leaves no connection open.
 * @throws Failure that names the server, where it is the server that is away or refuses
 */
export async function withTemporal<Result>(
  place: TemporalPlace,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const address = addressOf(place);
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

/** How a server is called in what is told. */
export function addressOf({ connectionOptions }: TemporalPlace): string {
  return connectionOptions.address ?? 'localhost:7233';
}

/** The SDK's own limit does not hold where packets are swallowed on the way. */
async function open({ connectionOptions }: TemporalPlace, address: string): Promise<Connection> {
  const connecting = Connection.connect({ ...connectionOptions, connectTimeout: connectMs });
  const late = () => new Error(`failed to connect to ${address} within ${connectMs / 1_000} s`);
  return withTimeout(connectMs + 500, connecting, late);
}

/** Why a Temporal server could not be worked with; null where it is nothing of the kind. */
export function explainTemporalError(
  error: unknown,
  { address, namespace }: { address: string; namespace: string },
): Explanation | null {
  if (error instanceof NamespaceNotFoundError) return noNamespace(address, namespace);
  const answer = answerIn(error);
  if (answer === null) return isConnectFailure(error) ? away(address) : null;
  switch (answer.code) {
    case grpc.notFound:
      return noNamespace(address, namespace);
    case grpc.permissionDenied:
    case grpc.unauthenticated:
      return {
        detail: `Temporal at ${address} does not allow it: ${answer.details}`,
        next: 'Correct TEMPORAL_API_KEY, the TEMPORAL_TLS variables or the profile, or give that identity more rights.',
      };
    case grpc.unimplemented:
      return {
        detail: `Temporal at ${address} does not do this over its API: ${answer.details}`,
        next: 'On Temporal Cloud namespaces and search attributes are made with `tcld` or in its web page, as temporal.yaml describes them.',
      };
    case grpc.unavailable:
    case grpc.deadlineExceeded:
      return away(address);
    default:
      return null;
  }
}

/** `grpc.status`, of which the client's package exports no names. */
const grpc = {
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** What the server answered; the client wraps some of its answers in an error of its own. */
function answerIn(error: unknown): { code: number; details: string } | null {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : null;
}

function noNamespace(address: string, namespace: string): Explanation {
  return {
    detail: `Temporal at ${address} has no namespace ${namespace}.`,
    next: `Make it: ${commandLine('temporal apply')}; or correct TEMPORAL_NAMESPACE.`,
  };
}

function away(address: string): Explanation {
  return {
    detail: `Temporal at ${address} cannot be reached.`,
    next: 'Start it, or correct TEMPORAL_ADDRESS; without TEMPORAL_ADDRESS `npm start` brings its own.',
  };
}

function isConnectFailure(error: unknown): boolean {
  return error instanceof Error && /failed to connect|connect.*deadline/i.test(error.message);
}

/** The embedded server. A proxy set for the outside world is no way to this machine itself. */
export function ownTemporal(address: string, namespace: string): TemporalPlace {
  return { connectionOptions: { address, channelArgs: { 'grpc.enable_http_proxy': 0 } }, namespace };
}
