import { queryOptions, skipToken } from '@tanstack/react-query';
import type { RecordEntryView } from '../../contract/record-chain.js';
import type { EventFilters } from '../event/event-filters.js';
import { type Api, CouncilProblem } from './api.js';

/** Public queries; the server loads them too. Those of a signed-in user are in `private-queries.ts`. */

export const eventsPerPage = 12;

export const eventsQuery = (api: Api, { page, ...filters }: EventFilters & { readonly page: number }) =>
  queryOptions({
    queryKey: ['events', filters, page],
    queryFn: ({ signal }) =>
      api.request('GET /api/events', {
        query: { ...filters, page, per_page: eventsPerPage },
        signal,
        as: 'nobody',
      }),
  });

/** Null if the event does not exist. */
export const eventQuery = (api: Api, eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) =>
      api
        .request('GET /api/events/{event_id}', { path: { event_id: eventId }, signal, as: 'nobody' })
        .catch(orNull('event_not_found')),
  });

/**
 * The prices of a market; null if the event or its market does not exist. A page does without them: a failure is
 * not repeated.
 * @param market slug; null reads nothing
 * @param from ISO 8601, UTC; null for the last 30 days
 */
export const eventPricesQuery = (
  api: Api,
  eventId: string,
  market: string | null,
  from: string | null = null,
) =>
  queryOptions({
    queryKey: ['event-prices', eventId, market, from],
    queryFn:
      market === null
        ? skipToken
        : ({ signal }) =>
            api
              .request('GET /api/events/{event_id}/prices', {
                path: { event_id: eventId },
                query: { market, ...(from === null ? {} : { from }) },
                signal,
                as: 'nobody',
              })
              .catch(orNull('event_not_found')),
    retry: false,
  });

export const pricingQuery = (api: Api) =>
  queryOptions({
    queryKey: ['pricing'],
    queryFn: ({ signal }) => api.request('GET /api/credits/pricing', { signal, as: 'nobody' }),
  });

export const trackRecordQuery = (api: Api) =>
  queryOptions({
    queryKey: ['track-record'],
    queryFn: ({ signal }) => api.request('GET /api/stats/track-record', { signal, as: 'nobody' }),
  });

/** The public sample report; null if there is none, as with real models. */
export const sampleReportQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sample-report'],
    queryFn: ({ signal }) =>
      api.request('GET /api/reports/sample', { signal, as: 'nobody' }).catch(orNull('not_found')),
  });

/**
 * For `catch`: a missing resource is cached as null, so that the server and the browser render the same page.
 */
function orNull(code: CouncilProblem['code']): (error: unknown) => null {
  return error => {
    if (error instanceof CouncilProblem && error.code === code) return null;
    throw error;
  };
}

/** The newest entry of the record as the page was rendered: the server fills it in, and no browser asks for another. */
export const recordHeadQuery = queryOptions<RecordEntryView | null>({
  queryKey: ['record-head'],
  queryFn: skipToken,
  staleTime: Infinity,
});
