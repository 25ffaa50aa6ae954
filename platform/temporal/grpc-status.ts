import { isGrpcServiceError } from '@temporalio/client';

/** The gRPC status codes that this service tells apart. The client's package does not export them. */
export const grpcStatus = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gRPC error of Temporal's server, also where the client has wrapped it; null for any other error. */
export function grpcFailure(error: unknown): { readonly code: number; readonly details: string } | null {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : null;
}

/** What was asked for does not exist, or its namespace does not. */
export function isNotFound(error: unknown): boolean {
  return grpcFailure(error)?.code === grpcStatus.notFound;
}
