import { queryOptions } from '@tanstack/react-query';
import { eventListShape, eventShape } from '../../contract/events.js';
import { pricingShape } from '../../contract/purchase.js';
import { reportShape } from '../../contract/reports.js';
import { trackRecordShape } from '../../contract/track-record.js';
import { type Api, ApiProblem } from './api.js';

/** What everybody may ask for; the server loads it too. What is private stands in `private-queries.ts`. */

export const eventsPerPage = 12;

export const eventsQuery = (api: Api, { search, page }: { search: string; page: number }) =>
  queryOptions({
    queryKey: ['events', search, page],
    queryFn: ({ signal }) =>
      api.get(
        `/api/events?${new URLSearchParams({ search, page: String(page), per_page: String(eventsPerPage) })}`,
        eventListShape,
        { signal, as: 'nobody' },
      ),
  });

/** Null where there is no such event. */
export const eventQuery = (api: Api, eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) =>
      api
        .get(`/api/events/${encodeURIComponent(eventId)}`, eventShape, { signal, as: 'nobody' })
        .catch(orNull('event_not_found')),
  });

export const pricingQuery = (api: Api) =>
  queryOptions({
    queryKey: ['pricing'],
    queryFn: ({ signal }) => api.get('/api/credits/pricing', pricingShape, { signal, as: 'nobody' }),
  });

export const trackRecordQuery = (api: Api) =>
  queryOptions({
    queryKey: ['track-record'],
    queryFn: ({ signal }) => api.get('/api/stats/track-record', trackRecordShape, { signal, as: 'nobody' }),
  });

/** The report that the house shows to everybody; null where none is shown, as with real models. */
export const sampleReportQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sample-report'],
    queryFn: ({ signal }) =>
      api.get('/api/reports/sample', reportShape, { signal, as: 'nobody' }).catch(orNull('not_found')),
  });

/**
 * For `catch`: that something is not there is an answer too. It is kept like any other, so that the server's page and the
 * browser's say the same of it from the first moment.
 */
function orNull(code: ApiProblem['code']): (error: unknown) => null {
  return error => {
    if (error instanceof ApiProblem && error.code === code) return null;
    throw error;
  };
}
