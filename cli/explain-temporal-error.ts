import { isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { asTyped } from './as-typed.js';
import type { Explanation } from './explain-database-error.js';

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
    next: `Make it: ${asTyped('temporal apply')}; or correct TEMPORAL_NAMESPACE.`,
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
