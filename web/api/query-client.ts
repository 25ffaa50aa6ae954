import { QueryClient } from '@tanstack/react-query';
import { CouncilProblem } from './api.js';

const freshForMs = 20_000;
const triesMax = 2;

/** Only failures that can pass are retried: the API would refuse the others again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshForMs,
        retry: (tries, error) => tries < triesMax && isTransient(error),
        // The client on the server lives as long as one response, and must not hold a timer.
        ...(typeof document === 'undefined' ? { gcTime: Number.POSITIVE_INFINITY, retry: false } : {}),
      },
    },
  });
}

const transientCodes: ReadonlySet<string> = new Set<CouncilProblem['code']>([
  'unreachable',
  'unexpected_answer',
  'unavailable',
  'internal',
  'rate_limited',
]);

function isTransient(error: unknown): boolean {
  return error instanceof CouncilProblem && transientCodes.has(error.code);
}
