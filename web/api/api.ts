import type { z } from 'zod';

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
