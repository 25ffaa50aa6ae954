import { createContext, useContext } from 'react';
import type { ReportEvent } from '../../client/api-types.js';
import type { EventsOptions } from '../../client/report-events.js';
import type { AnswerAt, Endpoint, RequestOptions } from '../../client/request-options.js';

export { CouncilProblem } from '../../client/council-problem.js';

/** The public HTTP API for the pages. The type of an answer follows from its operation; every failure is a `CouncilProblem`. */
export interface Api {
  /** @param endpoint `GET /api/events/{event_id}` */
  request<Name extends Endpoint>(
    endpoint: Name,
    options: RequestOptions<Name> & Identity,
  ): Promise<AnswerAt<Name>>;
  /** The event stream of one of the account's own reports, opened again whenever it breaks off. */
  reportEvents(id: number, options: EventsOptions): AsyncIterable<ReportEvent>;
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
