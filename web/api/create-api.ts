import { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiProblem, HttpClient, type RequestOptions } from '../../client/http-client.js';
import type { Api, ApiOptions } from './api.js';
import type { SessionTokens } from './session-tokens.js';

/**
 * @param sessions null on the server, where no one is signed in
 * @param headers sent with every request
 */
export function createApi(
  baseUrl: string,
  sessions: SessionTokens | null,
  headers: Readonly<Record<string, string>> = {},
): Api {
  const http = new HttpClient({ baseUrl, headers });

  async function requestOnce<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    { as, ...options }: RequestOptions & ApiOptions,
  ) {
    const token = as === 'nobody' ? null : ((await sessions?.current()) ?? null);
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    return http.request(shape, path, { ...options, headers: { ...authorization, ...options.headers } });
  }

  /** An expired token is replaced once before the user has to sign in again. */
  async function request<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    options: RequestOptions & ApiOptions,
  ) {
    try {
      return await requestOnce(path, shape, options);
    } catch (error) {
      const isRefused = error instanceof ApiProblem && error.code === 'unauthenticated';
      if (!isRefused || options.as === 'nobody' || sessions?.forget() !== true) throw error;
      return requestOnce(path, shape, options);
    }
  }

  return {
    get: (path, shape, options = {}) => request(path, shape, options),
    send: async (method, path, shape, options = {}) => {
      try {
        return await request(path, shape, { ...options, method });
      } finally {
        // After a sign-in or sign-out, the token of the previous session must not be used.
        if (path.startsWith('/api/auth/')) sessions?.forget();
      }
    },
  };
}

const freshForMs = 20_000;
const triesMax = 2;

/** Only failures that can pass are retried: the API would refuse the others again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshForMs,
        retry: (tries, error) => tries < triesMax && isTransient(error),
        // On the server the client lives as long as one response, and must not hold a timer.
        ...(typeof document === 'undefined' ? { gcTime: Number.POSITIVE_INFINITY, retry: false } : {}),
      },
    },
  });
}

const transientCodes: ReadonlySet<string> = new Set<ApiProblem['code']>([
  'unreachable',
  'unexpected_answer',
  'unavailable',
  'internal',
  'rate_limited',
]);

function isTransient(error: unknown): boolean {
  return error instanceof ApiProblem && transientCodes.has(error.code);
}
