import { createContext, useContext } from 'react';
import type { RequestOptions } from '../../client/http-client.js';
import type { Answer, Operation } from './answer-shapes.js';

export { ApiProblem } from '../../client/http-client.js';

/** The public HTTP API for the pages. The type of an answer follows from its operation; every failure is an `ApiProblem`. */
export interface Api {
  /** @param operation `GET /api/events/{event_id}` */
  request<Name extends Operation>(operation: Name, options: OptionsOf<Name>): Promise<Answer<Name>>;
}

export interface ApiOptions extends Pick<RequestOptions, 'body' | 'headers' | 'signal'> {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Default: as the signed-in user. */
  readonly as?: 'nobody';
}

/** An operation with a parameter in its path needs a value for it. */
export type OptionsOf<Name extends Operation> = Name extends `${string}{${infer Parameter}}`
  ? ApiOptions & { readonly path: Readonly<Record<Parameter, string | number>> }
  : ApiOptions;

export const PageApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(PageApiContext);
  if (api === null) throw new Error('useApi needs a PageApiContext around the component');
  return api;
}
