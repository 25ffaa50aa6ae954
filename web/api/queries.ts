import { queryOptions } from '@tanstack/react-query';
import { eventListShape, eventShape } from '../../contract/events.js';
import { pricingShape } from '../../contract/purchase.js';
import { reportShape } from '../../contract/reports.js';
import { trackRecordShape } from '../../contract/track-record.js';
import type { Api } from './api.js';
import { orNull } from './or-null.js';

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
