import { createContext, useContext } from 'react';
import type { z } from 'zod';
import type { ProblemView } from '../../contract/service.js';

/** The public HTTP API, as the pages speak it. Every answer is parsed; everything else is thrown as an `ApiProblem`. */
export interface Api {
  get<Shape extends z.ZodType>(path: string, shape: Shape, options?: AskOptions): Promise<z.output<Shape>>;
  send<Shape extends z.ZodType>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    shape: Shape,
    options?: AskOptions & { readonly body?: unknown },
  ): Promise<z.output<Shape>>;
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Default: whoever is signed in. */
  readonly as?: 'nobody';
}

/** An answer of the API outside 2xx, or none at all. */
export class ApiProblem extends Error {
  readonly code: ProblemView['code'] | 'unreachable';
  /** The whole document; null where the API did not answer. */
  readonly document: ProblemView | null;
  readonly retryAfterSeconds: number | null;

  constructor(document: ProblemView | null, retryAfterSeconds: number | null = null) {
    super(document?.detail ?? 'The service cannot be reached. Check your connection and try again.');
    this.name = 'ApiProblem';
    this.code = document?.code ?? 'unreachable';
    this.document = document;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('there is no API around this component');
  return api;
}
