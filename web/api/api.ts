import { createContext, useContext } from 'react';
import type { OptionsAt, RequestOptions } from '../../client/http-client.js';
import type { AnswerAt, Endpoint } from '../../contract/operations.js';

export { ApiProblem } from '../../client/http-client.js';

/** The public HTTP API for the pages. The type of an answer follows from its operation; every failure is an `ApiProblem`. */
export interface Api {
  /** @param endpoint `GET /api/events/{event_id}` */
  request<Name extends Endpoint>(
    endpoint: Name,
    options: OptionsAt<Name, ApiOptions>,
  ): Promise<AnswerAt<Name>>;
  /** The open event stream of one of the account's own reports. */
  followReport(id: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null>;
}

export interface ApiOptions extends Pick<RequestOptions, 'query' | 'body' | 'headers' | 'signal'> {
  /** Default: as the signed-in user. */
  readonly as?: 'nobody';
}

export const PageApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(PageApiContext);
  if (api === null) throw new Error('useApi needs a PageApiContext around the component');
  return api;
}
