import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-problem.js';

const freshForMs = 20_000;
const triesMax = 2;

/** What the API refused it refuses again; only what may pass is tried once more. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshForMs,
        retry: (tries, error) => tries < triesMax && isPassing(error),
        // On the server nothing is collected: the client lives as long as one answer, and must hold no timer.
        ...(typeof document === 'undefined' ? { gcTime: Number.POSITIVE_INFINITY, retry: false } : {}),
      },
    },
  });
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    ['unreachable', 'unavailable', 'internal', 'rate_limited'].includes(error.code)
  );
}
