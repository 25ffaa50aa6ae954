import { createContext, useContext } from 'react';
import type { z } from 'zod';
import type { RequestOptions } from '../../client/http-client.js';

export { ApiProblem } from '../../client/http-client.js';

/**
 * The public HTTP API for the pages. Responses are parsed by their schema; every failure is an `ApiProblem`.
 */
export interface Api {
  get<Shape extends z.ZodType>(path: string, shape: Shape, options?: ApiOptions): Promise<z.output<Shape>>;
  send<Shape extends z.ZodType>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    shape: Shape,
    options?: ApiOptions & Pick<RequestOptions, 'body'>,
  ): Promise<z.output<Shape>>;
}

export interface ApiOptions extends Pick<RequestOptions, 'headers' | 'signal'> {
  /** Default: as the signed-in user. */
  readonly as?: 'nobody';
}

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('useApi needs an ApiContext around the component');
  return api;
}
