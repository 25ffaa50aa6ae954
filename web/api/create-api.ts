import { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { problemShape } from '../../contract/service.js';
import { type Api, ApiProblem, type AskOptions } from './api.js';
import type { SessionTokens } from './session-tokens.js';

type Asked = AskOptions & { readonly body?: unknown };

/**
 * @param sessions null where nobody can be signed in, as on the server
 * @param always headers of every request
 */
export function createApi(
  baseUrl: string,
  sessions: SessionTokens | null,
  always: Readonly<Record<string, string>> = {},
): Api {
  async function once(method: string, path: string, asked: Asked): Promise<Response> {
    const token = asked.as === 'nobody' ? null : ((await sessions?.current()) ?? null);
    try {
      return await fetch(baseUrl + path, {
        method,
        headers: {
          ...always,
          accept: 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...asked.headers,
        },
        ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
        ...(asked.signal === undefined ? {} : { signal: asked.signal }),
      });
    } catch (error) {
      if (asked.signal?.aborted === true) throw error;
      throw new ApiProblem(null);
    }
  }

  /** A token that has just run out is no reason to send anybody to the sign-in. */
  async function ask<Shape extends z.ZodType>(method: string, path: string, shape: Shape, asked: Asked) {
    const first = await once(method, path, asked);
    const expired = first.status === 401 && asked.as !== 'nobody' && sessions?.forget() === true;
    return read(expired ? await once(method, path, asked) : first, shape);
  }

  /** Whoever signs in or out is another one from then on: what the one before was given must not speak for them. */
  async function send<Shape extends z.ZodType>(method: string, path: string, shape: Shape, asked: Asked) {
    try {
      return await ask(method, path, shape, asked);
    } finally {
      if (path.startsWith('/api/auth/')) sessions?.forget();
    }
  }

  return {
    get: (path, shape, options = {}) => ask('GET', path, shape, options),
    send: (method, path, shape, options = {}) => send(method, path, shape, options),
  };
}

async function read<Shape extends z.ZodType>(response: Response, shape: Shape): Promise<z.output<Shape>> {
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return shape.parse(body);
  const problem = problemShape.safeParse(body);
  throw new ApiProblem(problem.success ? problem.data : null, secondsIn(response.headers.get('retry-after')));
}

function secondsIn(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
}

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
