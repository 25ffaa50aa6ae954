import { createContext, useContext } from 'react';
import type { StreamSource } from '../../client/event-stream.js';
import type { AnswerAt, Endpoint, RequestOptions } from '../../client/request-options.js';

export { CouncilProblem } from '../../client/council-problem.js';

/** The public HTTP API for the pages. The type of an answer follows from its operation; every failure is a `CouncilProblem`. */
export interface Api {
  /** @param endpoint `GET /api/events/{event_id}` */
  request<Name extends Endpoint>(
    endpoint: Name,
    options: RequestOptions<Name> & Identity,
  ): Promise<AnswerAt<Name>>;
  /** Opens event streams as the signed-in user. Only the page of a report loads what reads them. */
  readonly streams: StreamSource;
}

export interface Identity {
  /** Default: as the signed-in user. */
  readonly as?: 'nobody';
}

export const PageApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(PageApiContext);
  if (api === null) throw new Error('useApi needs a PageApiContext around the component');
  return api;
}
